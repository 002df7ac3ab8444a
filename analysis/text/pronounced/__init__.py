"""Syllables of English words as they are spoken, by a pronouncing dictionary.

| file | holds |
|---|---|
| `spoken.py` | the counter: words of the dictionary, figures, initials, and rules for what is left |
| `figures.py` | how figures are read out |
| `make.py` | makes `syllables.txt.xz` from the dictionary |
| `syllables.txt.xz` | the words of the CMU Pronouncing Dictionary whose syllables spelling rules get wrong |
| `licence.txt` | the licence of the dictionary, under which this part of it is passed on |
"""
