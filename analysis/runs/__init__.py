"""The engine: rows that workers claim, compute in a process of their own, and conclude with a result or a sentence."""
