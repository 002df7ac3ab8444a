"""Norms of what people produce: completions, associations, names of pictures, translations.

| module | holds |
|---|---|
| `folding` | which written forms are one response |
| `counting` | responses per item, entropy, the dominant one |
| `method` | the method `production-norms`, its tables and words |
| `example` | a small example |
"""
