"""Check reported results: consistency of p values, and robustness to analysis choices."""
