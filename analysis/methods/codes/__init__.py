"""Compare codes that coders gave: agreement, incidence, proportions."""
