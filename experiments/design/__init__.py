"""Latin squares and orders of trials: pure functions on plain values."""
