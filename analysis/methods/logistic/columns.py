"""The tables of a logistic regression."""

from __future__ import annotations

from analysis.methods.columns import FromData, declared_table, usual
from analysis.methods.report import Column

MODEL = usual("model", meaning="The value that is predicted, and the set of predictors.")
BLOCK = Column("block", "Block", "integer", meaning="Each block adds predictors to those before.")
N = usual("n", meaning="How many rows.")
BASELINE = Column("baseline", "Majority baseline", "share", meaning="Always naming the more frequent value.")
ACCURACY = Column("fit_accuracy", "Correct in these data", "share", meaning="Classified correctly at .5.")
AUC = Column("auc", "AUC", "share", meaning="Probability that a positive row is ranked above another; ties a half.")
NAGELKERKE = Column("nagelkerke", "Nagelkerke R²", "share", meaning="Cox and Snell's over its greatest value.")
CROSS_VALIDATED = (
    Column("cv_trial", "Correct, new trials", "share", meaning="With folds over rows."),
    Column("cv_participant", "Correct, new participants", "share", meaning="With folds over participants."),
    Column("cv_item", "Correct, new items", "share", meaning="With folds over items."),
)
SEPARATION = Column("separation", "Separation", "text", meaning="none, quasi, or complete.", importance="detail")
COEFFICIENT_COUNT = Column(
    "n_coefficients", "Coefficients (without intercept)", "integer", meaning="How many there are."
)
BLOCKS = declared_table(
    "blocks",
    "Models",
    "One row per model and block. Cross-validated shares are empty without the column that folds are made of.",
    (MODEL, BLOCK, N),
    Column("minus2ll", "−2LL", meaning="Minus two log likelihoods."),
    Column("step_chi2", "χ² of the step", "statistic", meaning="Likelihood ratio against the block before."),
    Column("step_df", "df", "df", meaning="Degrees of freedom of the step."),
    Column("step_p", "p", "p", meaning="p of the step."),
    Column("model_chi2", "χ² of the model", "statistic", meaning="Likelihood ratio against the intercept alone."),
    Column("model_df", "df", "df", meaning="Degrees of freedom of the model."),
    Column("model_p", "p", "p", meaning="p of the model."),
    Column("cox_snell", "Cox and Snell R²", "share", meaning="1 − exp(−χ²/n)."),
    (NAGELKERKE, ACCURACY, BASELINE, AUC, *CROSS_VALIDATED),
    Column("separated", "Separated", "boolean", meaning="Whether predictors separate the values."),
    SEPARATION,
    Column("mcfadden", "McFadden R²", "share", meaning="1 − D/D0, of the deviances.", importance="detail"),
    COEFFICIENT_COUNT,
    Column("predictors", "Predictors", "text", meaning="The terms of the block and those before."),
    key="nagelkerke n_coefficients",
    detail="model_chi2 model_df model_p cox_snell cv_participant cv_item separated predictors",
)
LADDER = declared_table(
    "ladder",
    "Sets of predictors compared",
    "One row per model and set, of its last block.",
    MODEL,
    Column("set", "Predictors", "text", meaning="The set of predictors."),
    (N, BASELINE, ACCURACY, *CROSS_VALIDATED, COEFFICIENT_COUNT, NAGELKERKE, SEPARATION),
    key="accuracy nagelkerke n_coefficients",
    when="with `sets`",
)
FINAL = declared_table(
    "final",
    "Coefficients of the models of the set {set}",
    "One row per term of the last set.",
    "term",
    FromData("models", "One column per model: B.", "number"),
    when="with `sets`",
)
COEFFICIENTS = declared_table(
    "coefficients",
    "Coefficients",
    "One row per coefficient.",
    (MODEL, BLOCK),
    "term",
    Column("b", "B", meaning="In logits."),
    "se",
    Column("wald", "Wald", "statistic", meaning="(b/se)²."),
    usual("p", meaning="p of Wald's test."),
    Column("exp_b", "exp(B)", meaning="The odds ratio."),
    Column("or_low", "95 % CI from", meaning="Lower end of Wald's interval of the odds ratio."),
    Column("or_high", "95 % CI to", meaning="Upper end of Wald's interval of the odds ratio."),
    Column("remark", "Remark", "text", meaning="Why a number is empty.", importance="detail"),
)
TERMS = declared_table(
    "terms",
    "Likelihood-ratio tests of predictors",
    "One row per term: what the block loses without it.",
    (MODEL, BLOCK),
    "term chi2 df p",
)
CLASSIFICATION = declared_table(
    "classification",
    "Classification at p = .5",
    "Two rows per block: one per observed value.",
    (MODEL, BLOCK),
    Column("observed", "Observed", "text", meaning="The observed value."),
    N,
    Column("predicted_rest", "Predicted: rest", "integer", meaning="Rows whose p is below .5."),
    Column("predicted_positive", "Predicted: positive", "integer", meaning="Rows whose p is .5 or above."),
    Column("correct", "Correct", "share", meaning="Share of rows that are predicted as observed."),
)
BASELINES = declared_table(
    "baselines",
    "What is reached without the predictors",
    "One row per model and simple predictor.",
    MODEL,
    Column("predictor", "Predictor", "text", meaning="The majority, or length alone where there is a column of words."),
    (N, ACCURACY, AUC, *CROSS_VALIDATED),
)
ROC = declared_table(
    "roc",
    "Receiver operating characteristic",
    "One row per point of the curve of every block, in the data that the models were fitted to.",
    MODEL,
    Column("block", "Block", "text", meaning="The block."),
    Column("false_positive_rate", "False positive rate", "share", meaning="Of rows with another value."),
    Column("true_positive_rate", "True positive rate", "share", meaning="Of rows with the predicted value."),
    Column("threshold", "Threshold", "share", meaning="The p from which a row is taken as positive."),
)
