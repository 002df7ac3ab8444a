"""The columns of the tables of a logistic analysis."""

from __future__ import annotations

from analysis.methods.report import CHI_SQUARE_TEST, Column, named

BLOCKS = (
    Column("model", "Model", "text"),
    Column("block", "Block", "integer"),
    Column("n", "n", "integer"),
    Column("minus2ll", "−2LL"),
    Column("step_chi2", "χ² of the step", "statistic"),
    Column("step_df", "df", "df"),
    Column("step_p", "p", "p"),
    Column("model_chi2", "χ² of the model", "statistic"),
    Column("model_df", "df", "df"),
    Column("model_p", "p", "p"),
    Column("cox_snell", "Cox and Snell R²", "share"),
    Column("nagelkerke", "Nagelkerke R²", "share"),
    Column("fit_accuracy", "Correct in these data", "share"),
    Column("baseline", "Majority baseline", "share"),
    Column("auc", "AUC", "share"),
    Column("cv_trial", "Correct, new trials", "share"),
    Column("cv_participant", "Correct, new participants", "share"),
    Column("cv_item", "Correct, new items", "share"),
    Column("separated", "Separated", "boolean"),
    Column("separation", "Separation", "text"),
    Column("mcfadden", "McFadden R²", "share"),
    Column("n_coefficients", "Coefficients (without intercept)", "integer"),
    Column("predictors", "Predictors", "text"),
)
LADDER = (
    Column("model", "Model", "text"),
    Column("set", "Predictors", "text"),
    *named(
        BLOCKS,
        "n baseline fit_accuracy cv_trial cv_participant cv_item n_coefficients nagelkerke separation",
    ),
)
COEFFICIENTS = (
    *named(BLOCKS, "model block"),
    Column("term", "Term", "text"),
    Column("b", "B"),
    Column("se", "SE"),
    Column("wald", "Wald", "statistic"),
    Column("p", "p", "p"),
    Column("exp_b", "exp(B)"),
    Column("or_low", "95 % CI from"),
    Column("or_high", "95 % CI to"),
    Column("remark", "Remark", "text"),
)
TERMS = (
    *named(BLOCKS, "model block"),
    Column("term", "Term", "text"),
    *CHI_SQUARE_TEST,
)
CLASSIFICATION = (
    *named(BLOCKS, "model block"),
    Column("observed", "Observed", "text"),
    Column("n", "n", "integer"),
    Column("predicted_rest", "Predicted: rest", "integer"),
    Column("predicted_positive", "Predicted: positive", "integer"),
    Column("correct", "Correct", "share"),
)
BASELINES = (
    Column("model", "Model", "text"),
    Column("predictor", "Predictor", "text"),
    *named(BLOCKS, "n fit_accuracy auc cv_trial cv_participant cv_item"),
)
ROC = (
    Column("model", "Model", "text"),
    Column("block", "Block", "text"),
    Column("false_positive_rate", "False positive rate", "share"),
    Column("true_positive_rate", "True positive rate", "share"),
    Column("threshold", "Threshold", "share"),
)
