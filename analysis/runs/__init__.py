"""Job engine of analyses: workers claim rows, compute them in child processes, and store a result or a message."""
