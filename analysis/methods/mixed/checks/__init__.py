"""Diagnostics of fitted models: residuals, random effects of participants and items, influence.

| module | holds |
|---|---|
| `predictions` | random effects and residuals, and what the model simulates |
| `influence` | the fixed effects without each level of a group |
| `diagnostics` | the tables and figures of both |
"""
