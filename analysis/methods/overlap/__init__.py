"""Score systems' texts against references and source: BLEU, SARI, chrF and TER."""
