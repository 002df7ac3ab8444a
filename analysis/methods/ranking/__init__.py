"""Ranking texts by linguistic quality, after Pitler, Louis & Nenkova (2010).

| module | holds |
|---|---|
| `texts` | the texts with their mean ratings, read from a frame |
| `parsing` | which parser is there, and the parses |
| `matrices` | features per fold, learnt on other inputs only |
| `settings` | the parameters, and checks on them |
| `svm` | the ranking SVM on differences within inputs |
| `folding` | folds over inputs, predictions outside the fold, the meta ranker |
| `splits` | the same over further divisions into folds |
| `accuracies` | pairwise accuracy at input and at system level, bootstrap over inputs |
| `method`, `tables`, `remarks`, `example` | the method `ranking`, its report, and what it says in words |
"""
