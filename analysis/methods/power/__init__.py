"""Power analysis by simulation of whole studies."""
