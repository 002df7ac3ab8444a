# Reference values: restricted likelihood of mixed logistic models by glmmTMB (REML = TRUE: fixed effects are integrated out by Laplace as well).
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript mixed_restricted.R   (writes mixed_restricted.json)
suppressPackageStartupMessages({library(jsonlite); library(glmmTMB)})
set.seed(20261122)
d <- expand.grid(participant = sprintf("P%02d", 1:20), item = sprintf("I%02d", 1:20))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$marker <- c("because", "cause")[(p + i) %% 2 + 1]; d$order <- c("ab", "ba")[(p %/% 2 + i %/% 2) %% 2 + 1]; d$x <- round(rnorm(nrow(d)), 3)
a <- ifelse(d$marker == "because", 1, -1); b <- ifelse(d$order == "ab", 1, -1)
eta <- .3 - .4 * a + .2 * d$x + rnorm(20, 0, 1)[p] + rnorm(20, 0, .7)[i] + a * (rnorm(20, 0, .7)[p] + rnorm(20, 0, .5)[i]) + b * rnorm(20, 0, .6)[p]
d$correct <- as.integer(runif(nrow(d)) < plogis(eta)); d <- d[runif(nrow(d)) < .95, ]; raw <- d
d$m1 <- ifelse(d$marker == "because", 1, -1); d$o1 <- ifelse(d$order == "ab", 1, -1)
case <- function(theirs, ours) {
  f <- glmmTMB(theirs, d, family = binomial, REML = TRUE, control = glmmTMBControl(optCtrl = list(rel.tol = 1e-12, x.tol = 1e-10)))
  s <- summary(f)$coefficients$cond
  sd <- do.call(rbind, lapply(split(seq_along(VarCorr(f)$cond), names(VarCorr(f)$cond)), function(k) do.call(rbind, lapply(k, function(j) {
    v <- VarCorr(f)$cond[[j]]; data.frame(group = names(VarCorr(f)$cond)[j], sd = unname(attr(v, "stddev")), term = rownames(v)) }))))
  rownames(sd) <- NULL
  list(terms = ours, estimate = unname(s[, 1]), se = unname(s[, 2]), sd = sd)
}
result <- list(versions = list(R = R.version.string, glmmTMB = as.character(packageVersion("glmmTMB"))), data = raw, cases = list(
  slopes = case(correct ~ m1 * o1 + x + (1 | participant) + (0 + m1 | participant) + (0 + o1 | participant) + (1 | item) + (0 + m1 | item), "marker * order + x + (1 + marker + order || participant) + (1 + marker || item)"),
  intercepts = case(correct ~ m1 + (1 | participant) + (1 | item), "marker + (1 | participant) + (1 | item)")))
writeLines(toJSON(result, digits = NA, auto_unbox = TRUE, dataframe = "rows"), "mixed_restricted.json")
