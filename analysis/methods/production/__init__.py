"""Production norms: completions, associations, names of pictures, translations.

| module | holds |
|---|---|
| `folding` | which written forms are one response |
| `counting` | responses per item, entropy, the dominant one |
| `method`, `wording` | the method `production-norms`, its tables, and what is said about them |
| `example` | a small example |
"""
