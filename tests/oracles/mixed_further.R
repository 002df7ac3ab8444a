# Reference values: type III tests of lmerTest where a predictor is in handy units, and proportional odds of interactions by clm(nominal = …).
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript mixed_further.R   (writes mixed_further.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(lmerTest); library(ordinal)})
set.seed(20261121)
d <- expand.grid(participant = sprintf("P%02d", 1:20), item = sprintf("I%02d", 1:12))
p <- as.integer(d$participant); i <- as.integer(d$item)
d$marker <- c("because", "cause", "so")[(p + i) %% 3 + 1]; d$order <- c("ab", "ba")[(p %/% 3 + i) %% 2 + 1]; d$x <- round(rnorm(nrow(d)), 3)
d <- d[runif(nrow(d)) < .85, ]; p <- as.integer(d$participant); i <- as.integer(d$item)
eta <- c(because = 0, cause = .4, so = -.5)[d$marker] + .5 * (d$order == "ba") + .3 * d$x + rnorm(20, 0, .8)[p] + rnorm(12, 0, .5)[i]
d$y <- round(eta + rnorm(nrow(d)), 3); d$correct <- as.integer(runif(nrow(d)) < plogis(eta)); d$rating <- cut(eta + rlogis(nrow(d)), c(-Inf, -1, .3, 1.6, Inf), labels = FALSE)
plain <- function(x) { x <- as.data.frame(x); x[] <- lapply(x, function(v) if (is.factor(v)) as.character(v) else v); rownames(x) <- NULL; x }
options(contrasts = c("contr.treatment", "contr.poly"))
tight <- lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, optCtrl = list(rhobeg = 1e-2, rhoend = 1e-9, maxfun = 1e6))
m <- lmer(y ~ marker * order + x + (1 | participant) + (1 | item), d, control = tight); a <- anova(m)
effects <- data.frame(effect = rownames(a), df1 = a$NumDF, df2 = a$DenDF, f = a$`F value`, p = a$`Pr(>F)`)
d$rated <- factor(d$rating, ordered = TRUE); d$marker <- factor(d$marker); d$order <- factor(d$order); precise <- clm.control(gradTol = 1e-10)
fit <- function(formula, nominal = "") eval(parse(text = sprintf("clm(%s%s, data = d, control = precise)", formula, nominal)), globalenv())   # clm looks for its data where it was called
freed <- function(formula, term) {
  one <- fit(formula); more <- fit(formula, sprintf(", nominal = ~ %s", term))
  chi2 <- 2 * as.numeric(logLik(more) - logLik(one)); df <- length(coef(more, na.rm = TRUE)) - length(coef(one))
  data.frame(effect = term, df = df, chi2 = chi2, p = pchisq(chi2, df, lower.tail = FALSE), converged = more$convergence$code[1])
}
crossed <- do.call(rbind, lapply(c("marker", "order", "x", "marker:order"), function(t) freed("rated ~ marker * order + x", t)))
slopes <- do.call(rbind, lapply(c("order", "x", "order:x"), function(t) freed("rated ~ order * x", t)))
versions <- c(R = R.version.string, sapply(c("lme4", "lmerTest", "ordinal"), function(p) as.character(packageVersion(p))))
writeLines(toJSON(list(versions = as.list(versions), data = plain(d[names(d) != "rated"]), effects = effects, `rating ~ marker * order + x` = crossed, `rating ~ order * x` = slopes),
                  digits = NA, auto_unbox = TRUE, na = "null", dataframe = "rows"), "mixed_further.json")
