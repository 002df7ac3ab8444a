"""Preference: worths of options that people compared, with their uncertainty.

| module | holds |
|---|---|
| `judgements`, `wide`, `long` | what people said, read from one row per pair or one row per option |
| `choices` | judgements as choices among alternatives: Davidson, Davidson–Luce, best–worst |
| `likelihood` | the conditional logit of such choices, by Newton's method |
| `connected` | whether worths are finite and comparable at all |
| `resampling`, `mixed` | participants and items as random: cluster bootstrap, mixed logistic model |
| `estimates` | worths that sum to zero, differences between options, clusters |
| `transitivity` | circles of three, agreement between people |
| `method`, `settings`, `tables`, `remarks`, `example` | the method `preference`, its report, and its words |
"""
