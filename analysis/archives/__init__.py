"""Archives with everything of a study: asked for on the page, made by a worker, fetched when they are ready."""
