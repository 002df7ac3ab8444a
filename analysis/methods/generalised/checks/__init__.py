"""Diagnostics of models: calibration, frequencies, random effects, influence (`diagnostics`); `dispersion`."""
