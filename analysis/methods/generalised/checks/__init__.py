"""What checks a model: calibration, frequencies, single people and items (`diagnostics`), scatter (`dispersion`)."""
