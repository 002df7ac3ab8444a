"""A language model of two words in the ARPA format, small enough to work out its probabilities by hand."""

BIGRAMS = """
\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-99\t<s>\t-0.5
-1.5\t</s>
-0.6\tthe\t-0.4
-0.9\tcat\t-0.3

\\2-grams:
-0.2\t<s> the
-0.3\tthe cat

\\end\\
"""
