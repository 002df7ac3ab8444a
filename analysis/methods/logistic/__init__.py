"""Binary logistic regression in blocks of predictors, with cross-validation."""
