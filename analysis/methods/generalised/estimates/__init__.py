"""Tests of effects: Wald and likelihood ratio (`type_three`), F (`restricted`); proportional odds."""
