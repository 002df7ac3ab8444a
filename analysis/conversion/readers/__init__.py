"""Readers of other tools' results, one for each; `analysis.conversion.registry` lists them."""
