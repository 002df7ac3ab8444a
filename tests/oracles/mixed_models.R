# Reference values for mixed models: data made here, fitted by lme4 and lmerTest, means by emmeans.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript mixed_models.R   (writes mixed_models.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(lmerTest); library(emmeans)})
emm_options(msg.interaction = FALSE)
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e6), check.conv.singular = "ignore",
                     check.rankX = "silent.drop.cols", check.conv.grad = "ignore", check.conv.hess = "ignore")
plain <- function(d) { d <- as.data.frame(d); d[] <- lapply(d, function(x) if (is.factor(x)) as.character(x) else x); rownames(d) <- NULL; d }

described <- function(m) {
  s <- as.data.frame(coef(summary(m, ddf = "Satterthwaite"))); names(s) <- c("estimate", "se", "df", "t", "p")
  vc <- as.data.frame(VarCorr(m)); vc$grp <- sub("\\.[0-9]+$", "", vc$grp)
  a <- plain(anova(m, ddf = "Satterthwaite")); a$effect <- rownames(anova(m))
  list(fixed = cbind(term = rownames(s), s), varcorr = vc, log_lik = as.numeric(logLik(m)), aic = AIC(m), bic = BIC(m),
       n = nobs(m), singular = isSingular(m),
       anova = if (nrow(a)) data.frame(effect = a$effect, df1 = a$NumDF, df2 = a$DenDF, f = a$`F value`, p = a$`Pr(>F)`) else list())
}
cases <- list()
add <- function(name, formula, data, reml = TRUE, sum = FALSE, written = NULL, extra = NULL) {
  # options(), because lmer's argument `contrasts` reaches the fixed effects only
  old <- options(contrasts = c(if (sum) "contr.sum" else "contr.treatment", "contr.poly")); on.exit(options(old))
  m <- suppressMessages(suppressWarnings(lmer(formula, data, REML = reml, control = tight)))
  if (is.null(written)) written <- paste(deparse(formula, width.cutoff = 500), collapse = "")
  cases[[name]] <<- c(list(formula = written, reml = reml, contrasts = if (sum) "sum" else "treatment",
                           data = as.list(plain(data))), described(m), extra)
  invisible(m)
}

set.seed(4711)
# Crossed, two factors, slopes with correlations, unbalanced because a tenth of the rows is missing
crossed <- expand.grid(participant = sprintf("P%02d", 1:14), item = sprintf("I%02d", 1:12), stringsAsFactors = TRUE)
k <- (as.integer(crossed$participant) + as.integer(crossed$item)) %% 6
crossed$marker <- factor(c("because", "cause", "since")[k %% 3 + 1]); crossed$order <- factor(c("ab", "ba")[k %/% 3 + 1])
u <- matrix(rnorm(14 * 2), 14) %*% chol(matrix(c(.5, .15, .15, .3), 2)); w <- matrix(rnorm(12 * 2), 12) %*% chol(matrix(c(.4, -.1, -.1, .2), 2))
o <- as.integer(crossed$order) - 1.5; p <- as.integer(crossed$participant); i <- as.integer(crossed$item)
crossed$z <- round(.3 * o + .2 * (crossed$marker == "since") + u[p, 1] + o * u[p, 2] + w[i, 1] + o * w[i, 2] + rnorm(nrow(crossed), 0, .6), 3)
crossed$length <- round(rnorm(nrow(crossed), 12, 3))
crossed <- crossed[sort(sample(nrow(crossed), 150)), ]
m <- add("correlated slopes, sum contrasts", z ~ marker * order + (1 + order | participant) + (1 + order | item), crossed, sum = TRUE)
e <- emmeans(m, ~ marker | order, lmer.df = "satterthwaite")
cases[["correlated slopes, sum contrasts"]]$means <- plain(as.data.frame(e))
cases[["correlated slopes, sum contrasts"]]$pairs <- plain(as.data.frame(pairs(e, adjust = "tukey")))
add("correlated slopes, treatment contrasts, ML", z ~ marker * order + (1 + order | participant) + (1 + order | item), crossed, reml = FALSE)
small <- suppressMessages(lmer(z ~ marker + order + (1 | participant) + (1 | item), crossed, REML = FALSE, control = tight))
large <- suppressMessages(lmer(z ~ marker * order + (1 | participant) + (1 | item), crossed, REML = FALSE, control = tight))
lr <- anova(small, large); cases$likelihood_ratio <- list(chi2 = lr$Chisq[2], df = lr$Df[2], p = lr$`Pr(>Chisq)`[2])
add("factor and covariate", z ~ marker * length + order + (1 | participant) + (1 | item), crossed)
add("intercepts and interaction of groups", z ~ order + (1 | participant) + (1 | item) + (1 | participant:marker), crossed)
add("no intercept, one mean per level", z ~ 0 + marker + (1 | participant), crossed)
add("slopes without intercept", z ~ order + (0 + order | participant) + (1 | item), crossed)
gap <- droplevels(subset(crossed, !(marker == "since" & order == "ba")))
add("a combination that never occurs", z ~ marker * order + (1 | participant), gap)

# Numeric slopes without correlation, with a curve, and their scale far from one
times <- expand.grid(day = 0:7, person = sprintf("S%02d", 1:12)); b <- rnorm(12, 0, 20); s <- rnorm(12, 8, 5); q <- as.integer(factor(times$person))
times$person <- factor(times$person); times$rt <- round(exp((250 + b[q] + s[q] * times$day + rnorm(nrow(times), 0, 15)) / 120), 4)
times$ms <- times$day * 1000
add("numeric slopes without correlation", log(rt) ~ day + I(day^2) + (day || person), times)
add("numeric slopes on a large scale", rt ~ ms + (ms | person), times)

# Nested, unbalanced
nested <- data.frame(school = factor(rep(1:9, times = c(12, 20, 9, 15, 22, 8, 14, 16, 10))))
nested$class <- factor(unlist(lapply(split(seq_len(nrow(nested)), nested$school), function(r) rep(c("a", "b", "c"), length.out = length(r)))))
nested$x <- round(rnorm(nrow(nested)), 3); sc <- rnorm(9); cl <- setNames(rnorm(27, 0, .7), paste(rep(1:9, each = 3), c("a", "b", "c")))
nested$score <- round(2 + .4 * nested$x + sc[nested$school] + cl[paste(nested$school, nested$class)] + rnorm(nrow(nested)), 3)
add("nested groups", score ~ x + (1 | school / class), nested)

# Singular: the slopes do not vary, so their correlation is one
still <- expand.grid(trial = 1:10, g = sprintf("G%d", 1:7)); still$g <- factor(still$g); still$x <- round(rnorm(nrow(still)), 2)
still$y <- round(rnorm(7)[still$g] + .5 * still$x + rnorm(nrow(still)), 2)
add("singular correlated slopes", y ~ x + (1 + x | g), still)
flat <- still; flat$y <- round(rnorm(nrow(flat)), 2)
add("singular without any variance", y ~ x + (1 | g), flat)

# One term alone, unbalanced: lmerTest takes another basis for its F test there. And more combinations that never occur
lopsided <- droplevels(crossed[crossed$marker == "since" | seq_len(nrow(crossed)) %% 3 == 0, ])
add("one factor alone, unbalanced", z ~ marker + (1 + order | participant) + (1 | item), lopsided)
add("one factor alone, unbalanced, sum contrasts", z ~ marker + (1 | participant) + (1 | item), lopsided, sum = TRUE)
holes <- crossed; holes$length3 <- factor(c("low", "mid", "top")[cut(holes$length, c(-Inf, 10, 13, Inf))])
holes <- droplevels(subset(holes, !(marker == "since" & length3 == "top") & !(marker == "cause" & length3 == "low")))
add("two combinations of three by three never occur", z ~ marker * length3 + order + (1 | participant), holes)
add("two combinations never occur, sum contrasts", z ~ length3 * marker + order + (1 | participant), holes, sum = TRUE)
add("slopes of an interaction, named as the random term has it", z ~ length:order + (0 + order:length | item), crossed)

versions <- c(R = R.version.string, sapply(c("lme4", "lmerTest", "emmeans"), function(p) as.character(packageVersion(p))))
writeLines(toJSON(c(list(versions = as.list(versions)), cases), digits = NA, auto_unbox = TRUE, na = "null", dataframe = "rows"), "mixed_models.json")
for (n in names(cases)) cat(n, if (!is.null(cases[[n]]$singular)) cases[[n]]$singular, "\n")
