"""The tools of assistants: documents, studies, drafts."""
