"""Experiments of OpenSesame: the script is parsed, its loops and sequences are followed, nothing is run."""
