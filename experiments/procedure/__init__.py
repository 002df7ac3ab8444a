"""What participants go through besides the trials: pages, texts, questions, and how a session is put together."""
