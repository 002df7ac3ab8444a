"""Hold archives against what follows from their own data: reports computed anew, plan, texts, times and hashes."""
