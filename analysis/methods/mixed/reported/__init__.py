"""The report of a mixed model: its tables, figures and sentences, and a script.

| module | holds |
|---|---|
| `declared` | the tables that reports on mixed models share, declared |
| `tables`, `figures`, `sentences` | estimates, tests and means |
| `meanings` | what each coefficient is in means of levels |
| `several` | reports on several outcomes or regions as one |
| `observed_means` | the observed means of people behind the estimated ones |
| `brms_script` | the same model for R with priors |
"""
