"""Spoil texts on purpose and test whether metrics (FKGL, BLEU, SARI) notice."""
