"""Read untrusted uploads in a child process with limits on time and memory."""
