"""Building blocks shared by several paradigms: media, ratings, regions, questions, simulation."""
