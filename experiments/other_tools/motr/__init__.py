"""Experiments of MoTR, which run on magpie: the tables of texts and questions, and the screens around them."""
