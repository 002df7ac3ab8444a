# Reference values: random effects chosen step by step with lme4 (REML, tight optimiser), two factors of two levels as sum-coded columns.
# parsimonious: maximal, without correlations (untested where the covariance matrix of the group is singular, else kept where p <= .2),
# in the groups without correlations slopes one at a time from the interaction down (p > .2), correlations again (p <= .2);
# keep-maximal: correlations of the groups whose covariance matrix is singular, then slopes without variance from the interaction down,
# at last correlations again, the largest group first, where no further covariance matrix is singular.
# Run in this folder: OPENBLAS_NUM_THREADS=1 Rscript reduction.R   (writes reduction.json)
suppressPackageStartupMessages({library(jsonlite); library(lme4); library(lmerTest)})
simulated <- function(seed, people, items) {
  set.seed(seed)
  d <- expand.grid(participant = sprintf("P%02d", 1:24), item = sprintf("I%02d", 1:24)); p <- as.integer(d$participant); i <- as.integer(d$item)
  d$marker <- c("because", "cause")[(p + i) %% 2 + 1]; d$order <- c("ab", "ba")[((p + i) %/% 2) %% 2 + 1]
  m <- ifelse(d$marker == "because", 1, -1); o <- ifelse(d$order == "ab", 1, -1); e <- cbind(1, m, o, m * o)
  b <- matrix(rnorm(96), 24) %*% people; w <- matrix(rnorm(96), 24) %*% items
  d$z <- round(.15 * m + rowSums(e * b[p, ]) + rowSums(e * w[i, ]) + rnorm(nrow(d), 0, .8), 3)
  d[runif(nrow(d)) < .95, ]
}
sets <- list(
  correlated = simulated(20261123, rbind(c(.6, -.3, 0, 0), c(0, .25, 0, 0), c(0, 0, .3, 0), 0), diag(c(.4, .25, 0, 0))),
  sparse = simulated(20261124, diag(c(.6, 0, .2, .3)), diag(c(.3, .05, .2, 0))))
tight <- function(rho) lmerControl(optimizer = "bobyqa", calc.derivs = FALSE, check.conv.singular = "ignore", optCtrl = list(rhobeg = rho, rhoend = 1e-10, maxfun = 1e6))
WORDS <- c(m = "marker", o = "order", mo = "marker:order"); ORDER <- c(m = 1, o = 1, mo = 2); GROUPS <- c("participant", "item")
written <- function(s) paste(sapply(GROUPS, function(g) {
  k <- s[[g]]$slopes; if (!length(k)) return(sprintf("(1 | %s)", g))
  sprintf("(1 + %s %s %s)", if (setequal(k, names(WORDS))) "marker*order" else paste(WORDS[k], collapse = " + "), if (s[[g]]$bar) "|" else "||", g) }), collapse = " + ")
fitted.before <- list()
fit <- function(s, d) {
  if (!is.null(fitted.before[[written(s)]])) return(fitted.before[[written(s)]])
  terms <- sapply(GROUPS, function(g) sprintf("(%s %s %s)", paste(c("1", s[[g]]$slopes), collapse = " + "), if (s[[g]]$bar) "|" else "||", g))
  f <- as.formula(paste("z ~ m * o +", paste(terms, collapse = " + ")))
  one <- lmer(f, d, control = tight(.2)); two <- lmer(f, d, start = getME(one, "theta"), control = tight(.02))
  t <- getME(two, "theta"); low <- getME(two, "lower")
  of <- sub("\\..*", "", names(t)); of <- ifelse(grepl("^participant", of), "participant", "item")
  variance <- sapply(GROUPS, function(g) sapply(c("(Intercept)", s[[g]]$slopes), function(k) {
    v <- as.data.frame(VarCorr(two)); v <- v[grepl(paste0("^", g), v$grp) & v$var1 %in% k & is.na(v$var2), ]; v$sdcor / sigma(two) }), simplify = FALSE)
  found <- list(s = s, crit = as.numeric(REMLcrit(two)), k = length(t), singular = any(abs(t[low == 0]) < 1e-4), by = sapply(GROUPS, function(g) any(abs(t[low == 0 & of == g]) < 1e-4)), sd = variance, model = two)
  fitted.before[[written(s)]] <<- found; found
}
row <- function(x, larger = NULL) {
  base <- list(random = written(x$s), parameters = x$k + 5, criterion = x$crit, singular = x$singular)
  if (is.null(larger)) return(base)
  small <- if (x$k < larger$k) x else larger; large <- if (x$k < larger$k) larger else x
  c(base, chi2 = small$crit - large$crit, df = large$k - small$k, p = pchisq(max(small$crit - large$crit, 0), large$k - small$k, lower.tail = FALSE))
}
maximal <- lapply(setNames(GROUPS, GROUPS), function(g) list(slopes = names(WORDS), bar = TRUE))
free <- function(s) do.call(rbind, lapply(GROUPS, function(g) { k <- s[[g]]$slopes; if ("mo" %in% k) k <- "mo"; if (length(k)) data.frame(g = g, k = k) }))
without <- function(s, g, k) { s[[g]]$slopes <- setdiff(s[[g]]$slopes, k); if (!length(s[[g]]$slopes)) s[[g]]$bar <- TRUE; s }
parsimonious <- function(d) {
  now <- fit(maximal, d); rows <- list(row(now)); whole <- character(0)
  repeat {
    bars <- GROUPS[sapply(GROUPS, function(g) now$s[[g]]$bar)]; if (!length(bars)) break
    bad <- bars[now$by[bars]]; s <- now$s; for (g in if (length(bad)) bad else bars) s[[g]]$bar <- FALSE
    zero <- fit(s, d); rows <- c(rows, list(row(zero, now)))
    if (!length(bad) && rows[[length(rows)]]$p <= .2) { whole <- bars; break }
    now <- zero
  }
  if (setequal(whole, GROUPS)) return(list(rows = rows, final = now))
  for (order in 2:1) repeat {
    f <- free(now$s); f <- f[ORDER[f$k] == order & !f$g %in% whole, ]; if (is.null(f) || !nrow(f)) break
    empty <- which(mapply(function(g, k) now$sd[[g]][[k]] < 1e-4, f$g, f$k)); if (length(empty)) f <- f[max(empty), ]
    tried <- lapply(seq_len(nrow(f)), function(j) fit(without(now$s, f$g[j], f$k[j]), d))
    more <- lapply(tried, row, larger = now); rows <- c(rows, more); p <- sapply(more, `[[`, "p"); best <- max(which(p == max(p)))
    if (p[best] <= .2) break
    now <- tried[[best]]
  }
  asked <- GROUPS[sapply(GROUPS, function(g) !now$s[[g]]$bar)]
  while (length(asked)) {
    tried <- lapply(asked, function(g) { s <- now$s; s[[g]]$bar <- TRUE; fit(s, d) }); more <- lapply(tried, row, larger = now); rows <- c(rows, more)
    p <- sapply(more, `[[`, "p"); p[mapply(function(x, g) x$by[[g]], tried, asked)] <- 1; best <- which.min(p)
    if (p[best] > .2) break
    now <- tried[[best]]; asked <- asked[-best]
  }
  list(rows = rows, final = now)
}
keep.maximal <- function(d) {
  now <- fit(maximal, d); rows <- list(row(now)); known <- written(maximal)
  while (now$singular) {
    s <- now$s; bars <- GROUPS[sapply(GROUPS, function(g) s[[g]]$bar && length(s[[g]]$slopes) && now$by[[g]])]; f <- free(s)
    if (length(bars)) for (g in bars) s[[g]]$bar <- FALSE
    else {
      f <- if (is.null(f)) data.frame() else f[mapply(function(g, k) !s[[g]]$bar && now$sd[[g]][[k]] < 1e-4, f$g, f$k), ]
      if (!nrow(f)) break
      j <- max(which(ORDER[f$k] == max(ORDER[f$k]))); s <- without(s, f$g[j], f$k[j])
    }
    now <- fit(s, d); rows <- c(rows, list(row(now))); known <- c(known, written(s))
  }
  asked <- GROUPS[sapply(GROUPS, function(g) !now$s[[g]]$bar)]
  for (g in asked[order(-vapply(asked, function(g) length(now$s[[g]]$slopes), 1L))]) {
    s <- now$s; s[[g]]$bar <- TRUE; if (written(s) %in% known) next
    tried <- fit(s, d); rows <- c(rows, list(row(tried))); if (!any(tried$by & !now$by)) now <- tried
  }
  list(rows = rows, final = now)
}
result <- list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")), lmerTest = as.character(packageVersion("lmerTest"))))
result$sets <- parallel::mclapply(sets, mc.cores = 2, FUN = function(d) {
  raw <- d[c("participant", "item", "marker", "order", "z")]
  d$m <- ifelse(d$marker == "because", 1, -1); d$o <- ifelse(d$order == "ab", 1, -1); d$mo <- d$m * d$o
  done <- lapply(list(parsimonious = parsimonious, `keep-maximal` = keep.maximal), function(how) {
    x <- how(d); a <- anova(as_lmerModLmerTest(x$model <- x$final$model))
    list(steps = x$rows, random = written(x$final$s), anova = data.frame(effect = c("marker", "order", "marker:order"), df2 = a$DenDF, f = a$`F value`, p = a$`Pr(>F)`)) })
  c(list(data = raw), done)
})
writeLines(toJSON(result, digits = NA, auto_unbox = TRUE, dataframe = "rows"), "reduction.json")
for (n in names(result$sets)) for (h in c("parsimonious", "keep-maximal")) { cat(n, h, "\n"); for (r in result$sets[[n]][[h]]$steps) cat("  ", unlist(r), "\n"); cat("  ->", result$sets[[n]][[h]]$random, "\n") }
