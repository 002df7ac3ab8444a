# Reference values for group-sequential plans by rpact: boundaries, and final p, estimate and interval (stage-wise ordering).
#   Rscript tests/oracles/sequential.R > tests/oracles/sequential.json
suppressMessages({library(rpact); library(jsonlite)})
types <- list("obrien-fleming" = "asOF", "pocock" = "asP", "hwang-shih-decani" = "asHSD")
design <- function(name, shares, alpha, sided, gamma = -4) getDesignGroupSequential(
  informationRates = shares, alpha = alpha, sided = sided, typeOfDesign = types[[name]], gammaA = gamma, tolerance = 1e-10)
boundaries <- list()
for (name in names(types)) for (shares in list(c(.25, .5, .75, 1), c(.1, .6, 1), c(.3, .35, .4, .9, 1)))
  for (alpha in c(.05, .01)) for (gamma in if (name == "hwang-shih-decani") c(-4, 1) else -4) {
    made <- design(name, shares, alpha, 2, gamma)
    boundaries[[length(boundaries) + 1]] <- list(spending = name, shares = shares, alpha = alpha, gamma = gamma,
      boundary = made$criticalValues, spent = made$alphaSpent)
  }
# One-sided, so that no bound below is there: the mean of each stage of a normal variable with known variance 1.
finals <- list()
for (name in names(types)) for (stages in list(c(.9), c(.3, .5), c(.2, .1, .45), c(.1, -.2, .3, .4))) {
  made <- design(name, c(.25, .5, .75, 1), .025, 1)
  n <- rep(50, length(stages))
  data <- getDataset(n = n, means = stages, stDevs = rep(1, length(stages)))
  result <- getStageResults(made, dataInput = data, stage = length(stages), directionUpper = TRUE, normalApproximation = TRUE)
  stopped <- length(stages) == 4 || result$overallTestStatistics[length(stages)] >= made$criticalValues[length(stages)]
  if (!stopped) next
  found <- getFinalConfidenceInterval(made, data, stage = length(stages), directionUpper = TRUE, normalApproximation = TRUE, tolerance = 1e-12)
  finals[[length(finals) + 1]] <- list(spending = name, stages = length(stages), z = result$overallTestStatistics[length(stages)],
    p_one_sided = getFinalPValue(result)$pFinal, estimate = found$medianUnbiasedGeneral, interval = found$finalConfidenceIntervalGeneral,
    mean = sum(n * stages) / sum(n), people = sum(n), critical = made$criticalValues)
}
cat(toJSON(list(versions = list(R = R.version.string, rpact = as.character(packageVersion("rpact"))), boundaries = boundaries,
  finals = finals), digits = 12, auto_unbox = TRUE, pretty = TRUE))
