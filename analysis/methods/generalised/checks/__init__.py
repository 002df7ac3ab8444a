"""What checks a model: calibration, single people and items (`answers`), counts and their scatter (`numbers`,
`dispersion`)."""
