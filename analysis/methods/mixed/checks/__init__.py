"""What checks a fitted model: residuals, single people and items, and the estimates without them.

| module | holds |
|---|---|
| `predictions` | random effects and residuals, and what the model simulates |
| `influence` | the fixed effects without each level of a group |
| `diagnostics` | the tables and figures of both |
"""
