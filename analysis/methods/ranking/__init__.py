"""Rank texts by linguistic quality from features of the texts, after Pitler, Louis & Nenkova (2010).

| module | holds |
|---|---|
| `texts` | the texts with their mean ratings, read from a frame |
| `parsing` | the choice of a parser, and the parses |
| `matrices` | features per fold, learnt on other inputs only |
| `settings` | the parameters, and checks on them |
| `svm` | the ranking SVM on differences within inputs |
| `folding` | folds over inputs, predictions outside the fold, the meta ranker |
| `splits` | accuracies over further divisions into folds |
| `accuracies` | pairwise accuracy at input and at system level, bootstrap over inputs |
| `rankers` | training and testing of the rankers of one rating |
| `method`, `tables`, `wording`, `example` | the method `ranking`, its tables, notes and warnings, and example data |
"""
