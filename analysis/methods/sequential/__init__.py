"""Sequential plans: how much of α each look may spend, its boundary, and estimates that know of the looks before."""
