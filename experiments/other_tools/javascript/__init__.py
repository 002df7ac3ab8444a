"""Read JavaScript without running it: tokens, and a tree of what a script says. Pure.

Time and memory grow with the length of the script; how deep it nests and how much is read is bounded.
"""
