# Times the R counterpart of one method: Rscript methods_against_r.R FOLDER METHOD REPETITIONS
# Prints the median seconds of processor time and the numbers to compare, as JSON. Reading the file counts; loading
# packages does not. Each function makes the tables of Lectern's report, flags, splits and cross-validation included.
arguments <- commandArgs(TRUE)
suppressPackageStartupMessages({library(afex); library(emmeans)})
suppressMessages({afex_options(type = 3); set_sum_contrasts()})
emm_options(msg.interaction = FALSE)
read <- function(name) read.csv(file.path(arguments[1], paste0(name, ".csv")), stringsAsFactors = FALSE,
  colClasses = if (name == "ratings") c(participant = "character", item = "character") else if (name == "answers") c(codes = "character") else c(unit = "character", code = "character"))
z <- function(x) (x - mean(x)) / sd(x)
over <- function(d, unit, dv = "z") suppressWarnings(suppressMessages(aov_ez(unit, dv, d, within = c("marker", "order"), fun_aggregate = mean)))
effects <- function(a) { s <- suppressWarnings(summary(a$Anova, multivariate = FALSE)); list(f = s$univariate.tests[-1, ], sphericity = s$sphericity.tests, corrected = s$pval.adjustments, ges = a$anova_table) }
cells <- function(d, unit) {
  m <- aggregate(d["z"], d[c(unit, "marker", "order")], mean); k <- 8
  m$y <- m$z - ave(m$z, m[[unit]]) + mean(m$z)
  aggregate(cbind(z, y) ~ marker + order, m, function(x) c(n = length(x), mean = mean(x), sd = sd(x), half = qt(.975, length(x) - 1) * sd(x) * sqrt(k / (k - 1)) / sqrt(length(x)))) }
interaction_of <- function(e, cells) c(e$f["marker:order", "F value"], e$corrected["marker:order", "Pr(>F[GG])"], e$ges["marker:order", "ges"], sum(cells$z[, "sd"]))
min_f <- function(f1, df1, n1, f2, n2) { m <- f1 * f2 / (f1 + f2); df <- (f1 + f2)^2 / (f1^2 / n2 + f2^2 / n1); c(f1, f2, m, df, pf(m, df1, df, lower.tail = FALSE)) }
wilson <- function(x, n) suppressWarnings(prop.test(x, n, correct = FALSE))$conf.int[1:2]
wide <- function(d, dv = "z", unit = "participant") { m <- aggregate(d[dv], d[c(unit, "marker", "order")], mean); m <- reshape(m, idvar = unit, timevar = "cell", v.names = dv, direction = "wide", drop = c("marker", "order"), sep = ":") }

methods <- list(
  "normalise" = function() {
    d <- read("ratings"); d$z_z <- ave(d$z, d$participant, FUN = z)
    people <- as.data.frame(t(vapply(split(d$z, d$participant), function(x) c(n = length(x), mean = mean(x), sd = sd(x), min = min(x), median = median(x), max = max(x), distinct = length(unique(x)), zeros = sum(x == 0), negative = sum(x < 0)), numeric(9))))
    people$flag <- ifelse(people$n == 1, "one value only", ifelse(people$min == people$max, "all values are equal", NA))
    far <- rownames(people)[people$median > 0 & people$max > 100 * people$median]
    c(sum(d$z_z^3), colSums(people[1:9])) },
  "condition-means" = function() {
    d <- read("ratings"); d$z_z <- ave(d$z, d$participant, FUN = z)
    long <- do.call(rbind, lapply(c("z", "z_z"), function(name) do.call(rbind, lapply(split(d, d$marker), function(part) {
      x <- part[[name]]; people <- tapply(x, part$participant, mean)
      data.frame(measure = name, condition = part$marker[1], n = length(x), mean = mean(x), sd_participants = sd(people), sd_trials = sd(x), min = min(x), max = max(x)) }))))
    colSums(long[c("n", "mean", "sd_participants", "sd_trials", "min", "max")]) },
  "rm-anova" = function() { d <- read("ratings"); interaction_of(effects(over(d, "participant")), cells(d, "participant")) },
  "rm-anova, items" = function() { d <- read("ratings"); interaction_of(effects(over(d, "item")), cells(d, "item")) },
  "contrasts" = function() {
    d <- read("ratings"); a <- over(d, "participant")
    k <- contrast(emmeans(a, ~ marker, model = "multivariate"), method = "trt.vs.ctrl", adjust = "holm")
    p <- as.data.frame(summary(k)); interval <- as.data.frame(confint(k, adjust = "none"))
    c(interaction_of(effects(a), cells(d, "participant")), sum(p$estimate), sum(p$t.ratio), sum(p$p.value), sum(interval$lower.CL)) },
  "min-f" = function() {
    d <- read("ratings"); e1 <- effects(over(d, "participant"))$f; e2 <- effects(over(d, "item"))$f
    t(sapply(rownames(e1), function(n) min_f(e1[n, "F value"], e1[n, "num Df"], e1[n, "den Df"], e2[n, "F value"], e2[n, "den Df"])))["marker:order", ] },
  "tukey, pooled" = function() {
    d <- read("ratings"); a <- over(d, "participant"); t <- a$anova_table["marker:order", ]; e <- effects(a)$f["marker:order", ]
    m <- with(aggregate(z ~ participant + marker + order, d, mean), tapply(z, paste(marker, order, sep = ":"), mean)); n <- length(unique(d$participant))
    mse <- e[["Error SS"]] / e[["den Df"]]; df <- e[["den Df"]]; se <- sqrt(mse / n); pairs <- combn(sort(names(m)), 2); diff <- m[pairs[1, ]] - m[pairs[2, ]]
    q <- abs(diff) / se; p <- ptukey(q, 8, df, lower.tail = FALSE); half <- qtukey(.95, 8, df) * se
    table <- data.frame(a = pairs[1, ], b = pairs[2, ], diff, se, df, q, p, low = diff - half, high = diff + half)
    c(sum(q), sum(p), sum(table$high - table$low)) },
  "tukey, multivariate" = function() { a <- over(read("ratings"), "participant"); p <- summary(pairs(emmeans(a, ~ order * marker, model = "multivariate"), adjust = "tukey"), infer = TRUE); c(sum(p$SE), sum(p$p.value), sum(p$upper.CL - p$lower.CL)) },
  "friedman" = function() {
    d <- read("ratings"); m <- with(d, tapply(z, list(participant, paste(marker, order, sep = ":")), mean)); n <- nrow(m); k <- ncol(m)
    f <- friedman.test(m); chi2 <- f$statistic[[1]]; ranks <- t(apply(m, 1, rank)); pairs <- combn(sort(colnames(m)), 2)
    w <- apply(pairs, 2, function(p) { t <- suppressWarnings(wilcox.test(m[, p[1]], m[, p[2]], paired = TRUE)); c(t$statistic[[1]], t$p.value) })
    rank_biserial <- (2 * w[1, ] - n * (n + 1) / 2) / (n * (n + 1) / 2)
    c(chi2, chi2 / (n * (k - 1)), (n - 1) * chi2 / (n * (k - 1) - chi2), sum(colMeans(ranks)), sum(apply(m, 2, median)), sum(abs(rank_biserial)), sum(p.adjust(w[2, ], "holm"))) },
  "n-best" = function() {
    d <- read("ratings"); cell <- paste(d$marker, d$order, sep = ":"); m <- tapply(d$z, list(d$item, cell), mean)
    o <- t(apply(m, 1, sort, decreasing = TRUE)); best <- m == apply(m, 1, max); best <- best / rowSums(best)
    fixed <- data.frame(mean = colMeans(m), sd = apply(m, 2, sd), best = colMeans(best))
    parts <- do.call(rbind, strsplit(colnames(m), ":")); levels <- c(tapply(colMeans(m), parts[, 1], mean), tapply(colMeans(m), parts[, 2], mean))
    values <- split(d$z, list(d$item, cell)); set.seed(2012)
    held_out <- rowMeans(replicate(20, {
      h <- vapply(values, function(x) { i <- sample.int(length(x)); k <- length(x) %/% 2; c(mean(x[i[seq_len(k)]]), mean(x[i[-seq_len(k)]])) }, numeric(2))
      chosen <- matrix(h[1, ], nrow(m)); other <- matrix(h[2, ], nrow(m)); colMeans(t(sapply(seq_len(nrow(m)), function(i) other[i, order(-chosen[i, ])]))) }))
    c(mean(o[, 1]), sd(o[, 1]), max(fixed$mean), max(fixed$best), max(levels)) },
  "correlation" = function() {
    d <- read("ratings"); m <- aggregate(cbind(z, words) ~ item, d, mean); t <- suppressWarnings(cor.test(m$z, m$words, method = "spearman")); r <- t$estimate[[1]]
    c(r, t$p.value, tanh(atanh(r) - qnorm(.975) * sqrt((1 + r^2 / 2) / (nrow(m) - 3))), sum(m$z)) },
  "proportions" = function() {
    d <- read("answers"); n <- nrow(d); x <- c(sum(d$y), sum(d$v)); p <- x / n; t <- suppressWarnings(prop.test(x, c(n, n), correct = FALSE)); w <- rbind(wilson(x[1], n), wilson(x[2], n))
    low <- p[1] - p[2] - sqrt((p[1] - w[1, 1])^2 + (w[2, 2] - p[2])^2); f <- fisher.test(rbind(x, n - x))$p.value
    b <- sum(d$y == 1 & d$v == 0); c0 <- sum(d$y == 0 & d$v == 1); pairs <- table(d$y, d$v); m <- mcnemar.test(pairs, correct = FALSE); corrected <- mcnemar.test(pairs)
    c(sign(p[1] - p[2]) * sqrt(t$statistic[[1]]), low, f, w[1, 1], binom.test(b, b + c0)$p.value, m$statistic[[1]], corrected$p.value) },
  "incidence" = function() {
    d <- read("answers"); codes <- as.character(0:6); weights <- c(.5, .4, -.25, -.5, -.5, .25, .25)
    has <- sapply(codes, function(k) grepl(k, d$codes, fixed = TRUE) * 1); d$score <- round(drop(has %*% weights), 10)
    n <- tapply(d$score, d$marker, length); share <- aggregate(has, d["marker"], mean); counts <- rowsum(has, d$marker)
    low <- sapply(rownames(counts), function(g) sapply(codes, function(k) wilson(counts[g, k], n[[g]])[1]))
    c(sum(share[["0"]]), sum(share[["3"]]), sum(tapply(d$score, d$marker, mean)), sum(tapply(d$score, d$marker, sd)), sum(low), sum(d$score)) },
  "agreement" = function() {
    d <- read("codings"); w <- reshape(d, idvar = "unit", timevar = "coder", direction = "wide"); a <- w$code.AB; b <- w$code.CD; n <- length(a)
    kappa <- function(a, b) suppressWarnings(psych::cohen.kappa(cbind(a, b), n.obs = length(a))); alpha <- function(a, b) { t <- table(c(a, b), c(b, a)); s <- rowSums(t); N <- sum(t); 1 - (1 - sum(diag(t)) / N) / (1 - sum(s * (s - 1)) / (N * (N - 1))) }
    all <- c(mean(a == b), kappa(a, b)$kappa, alpha(a, b))
    each <- sapply(sort(unique(c(a, b))), function(k) { x <- a == k; y <- b == k; c(mean(x == y), kappa(x, y)$kappa, alpha(x, y)) })
    c(all[3], sum(all[1], each[1, ]), sum(all[2], each[2, ])) },
  "robustness" = function() {
    d <- read("answers"); one <- function(part) do.call(rbind, lapply(list(function(x, p) x, function(x, p) ave(x, p, FUN = z), function(x, p) ave(log10(x), p, FUN = z), function(x, p) log10(x / 20)), function(scale) {
      part$s <- scale(part$rating, part$participant); a <- over(part, "participant", "s"); e1 <- effects(a)$f; e2 <- effects(over(part, "item", "s"))$f
      data.frame(f1 = e1[, "F value"], f2 = e2[, "F value"], minf = e1[, "F value"] * e2[, "F value"] / (e1[, "F value"] + e2[, "F value"]), ges = a$anova_table$ges) }))
    colSums(rbind(one(d), one(d[!(d$x > 2), ]))) },
  "logistic" = function() {
    d <- read("answers"); d$marker <- factor(d$marker); contrasts(d$marker) <- contr.treatment(4); n <- nrow(d); formulas <- list(y ~ x, y ~ x + marker)
    null <- deviance(glm(y ~ 1, binomial, d)); before <- null; fits <- lapply(formulas, glm, family = binomial, data = d)
    blocks <- do.call(rbind, lapply(fits, function(m) {
      D <- deviance(m); step <- before - D; before <<- D; cox <- 1 - exp((D - null) / n); p <- fitted(m); r <- rank(p); n1 <- as.numeric(sum(d$y))
      roc <- cbind(tp = cumsum(d$y[order(-p)]), fp = cumsum(1 - d$y[order(-p)])); table(d$y, p > .5)
      c(minus2ll = D, step_chi2 = step, nagelkerke = cox / (1 - exp(-null / n)), mcfadden = 1 - D / null, fit = mean((p > .5) == d$y), auc = (sum(r[d$y == 1]) - n1 * (n1 + 1) / 2) / (n1 * (n - n1))) }))
    b <- do.call(rbind, lapply(fits, function(m) { s <- coef(summary(m)); cbind(s[, 1:2], wald = s[, 3]^2, p = s[, 4], low = exp(s[, 1] - qnorm(.975) * s[, 2])) }))
    terms <- unlist(lapply(fits, function(m) drop1(m, test = "LRT")$LRT[-1])); set.seed(1)
    folds <- list(sample(rep(1:10, length.out = n)), sample(rep(1:10, length.out = length(unique(d$participant))))[factor(d$participant)], sample(rep(1:10, length.out = length(unique(d$item))))[factor(d$item)])
    cv <- sapply(folds, function(fold) sapply(formulas, function(f) mean(unlist(lapply(1:10, function(k) { m <- glm(f, binomial, d[fold != k, ]); (predict(m, d[fold == k, ], type = "response") > .5) == d$y[fold == k] })))))
    c(colSums(blocks), colSums(b[, c(1, 2, 3, 5)]), sum(terms)) })

times <- numeric(0)
for (i in seq_len(as.integer(arguments[3]))) {
  t <- system.time(value <- methods[[arguments[2]]]()); times[i] <- t[["user.self"]] + t[["sys.self"]]
  if (sum(times) > 20) break
}
cat(sprintf('{"seconds": %.4f, "numbers": [%s]}\n', median(times), paste(formatC(value, digits = 15, format = "g"), collapse = ", ")))
