"""Measures of linguistic quality by class, after Pitler, Louis & Nenkova (2010): a text in, named numbers out.

One module per class. A value that a text does not have (the similarity of adjacent sentences in a text of one
sentence) is NaN here; what becomes of it is for the method to say.
"""
