# Reference values for preference, by programs of others:
#   pairs          BradleyTerry2::BTm, and glm(binomial) on differences
#   ties           Davidson's model as a Poisson log-linear model of counts (Fienberg 1979; Critchlow & Fligner 1991)
#   rankings       survival::coxph, one stratum per ranking, time = rank (Plackett-Luce is its partial likelihood)
#   best-worst     survival::clogit, choices as strata (sequential: best, then worst of the rest; maxdiff: ordered pairs)
#   mixed          lme4::glmer, one standard deviation per option and participant
#
#   Rscript preference.R > preference.json
suppressPackageStartupMessages({
  library(jsonlite); library(survival); library(BradleyTerry2); library(lme4)
})
set.seed(1970)
names4 <- c("A", "B", "C", "D")
worth <- c(A = 0.7, B = 0.2, C = -0.1, D = -0.8)
centred <- function(free) {
  # Estimates against the first option as worths that sum to zero.
  all <- c(0, free)
  setNames(all - mean(all), names4)
}
errors <- function(vcov_free) {
  k <- nrow(vcov_free) + 1
  full <- matrix(0, k, k)
  full[-1, -1] <- vcov_free
  H <- diag(k) - 1 / k
  setNames(sqrt(diag(H %*% full %*% H)), names4)
}

# --- pairs with ties and side: one table of judgements, analysed with and without its ties ---
pairs <- t(combn(names4, 2))
judgements <- do.call(rbind, lapply(1:30, function(person) {
  mine <- rnorm(4, 0, 0.6); names(mine) <- names4
  do.call(rbind, lapply(1:12, function(i) {
    pair <- pairs[(person + i) %% 6 + 1, ]
    if (runif(1) < 0.5) pair <- rev(pair)
    u <- worth[pair] + mine[pair]
    w <- exp(c(u[1] + 0.2, u[2] - 0.2, mean(u) - 0.6))
    data.frame(participant = sprintf("P%02d", person), a = pair[1], b = pair[2],
      choice = sample(c("a", "b", "tie"), 1, prob = w))
  }))
}))
decided <- judgements[judgements$choice != "tie", ]
decided$won <- as.numeric(decided$choice == "a")
D <- sapply(names4, function(o) (decided$a == o) - (decided$b == o))

bt <- BTm(cbind(won, 1 - won), player1 = factor(a, names4), player2 = factor(b, names4), data = decided, id = "o")
free <- coef(bt)
sided <- glm(decided$won ~ D[, -1], family = binomial, control = glm.control(epsilon = 1e-14))
pairs_out <- list(
  worth = centred(free), se = errors(vcov(bt)), log_lik = as.numeric(logLik(bt)),
  sided_worth = centred(coef(sided)[-1]), sided_se = errors(vcov(sided)[-1, -1]),
  side = unname(coef(sided)[1]), side_se = sqrt(vcov(sided)[1, 1])
)

# Davidson: Poisson counts of the three outcomes of every judgement (a parameter for each judgement's total).
long <- do.call(rbind, lapply(seq_len(nrow(judgements)), function(r) {
  j <- judgements[r, ]
  e <- function(o) as.numeric(names4 == o)
  X <- rbind(e(j$a), e(j$b), (e(j$a) + e(j$b)) / 2)
  colnames(X) <- names4
  data.frame(X, tie = c(0, 0, 1), side = c(0.5, -0.5, 0), y = as.numeric(c("a", "b", "tie") == j$choice), s = r)
}))
davidson <- function(with_side) {
  formula <- if (with_side) Surv(rep(1, nrow(long)), y) ~ B + C + D + tie + side + strata(s) else
    Surv(rep(1, nrow(long)), y) ~ B + C + D + tie + strata(s)
  coxph(formula, long, ties = "exact", control = coxph.control(eps = 1e-13, toler.chol = 1e-15, iter.max = 100))
}
poisson_fit <- local({
  key <- interaction(judgements$a, judgements$b, drop = TRUE)
  counts <- do.call(rbind, lapply(levels(key), function(k) {
    part <- judgements[key == k, ]
    e <- function(o) as.numeric(names4 == o)
    X <- rbind(e(part$a[1]), e(part$b[1]), (e(part$a[1]) + e(part$b[1])) / 2)
    colnames(X) <- names4
    data.frame(X, tie = c(0, 0, 1), side = c(0.5, -0.5, 0), pair = k,
      n = as.numeric(table(factor(part$choice, c("a", "b", "tie")))))
  }))
  glm(n ~ pair + B + C + D + tie + side, poisson, counts, control = glm.control(epsilon = 1e-14, maxit = 100))
})
plain <- davidson(FALSE); both <- davidson(TRUE)
keep <- c("B", "C", "D")
ties_out <- list(
  worth = centred(coef(plain)[keep]), se = errors(vcov(plain)[keep, keep]), nu = exp(coef(plain)[["tie"]]),
  log_lik = plain$loglik[2],
  sided_worth = centred(coef(poisson_fit)[keep]), sided_se = errors(vcov(poisson_fit)[keep, keep]),
  sided_nu = exp(coef(poisson_fit)[["tie"]]), side = coef(poisson_fit)[["side"]],
  side_se = sqrt(vcov(poisson_fit)["side", "side"]), conditional_side = coef(both)[["side"]]
)

# --- rankings ---
rankings <- do.call(rbind, lapply(1:40, function(r) {
  shown <- if (r %% 3) names4 else sample(names4, 3)
  order <- sample(shown, prob = exp(worth[shown]))
  data.frame(comparison = r, option = order, rank = seq_along(order))
}))
rankings$option <- factor(rankings$option, names4)
pl <- coxph(Surv(rank, rep(1, nrow(rankings))) ~ option + strata(comparison), rankings,
  control = coxph.control(eps = 1e-13, toler.chol = 1e-15, iter.max = 100))
rankings_out <- list(worth = centred(coef(pl)), se = errors(vcov(pl)), log_lik = pl$loglik[2])

# --- best-worst ---
bw <- do.call(rbind, lapply(1:50, function(r) {
  best <- sample(names4, 1, prob = exp(worth))
  rest <- setdiff(names4, best)
  worst <- sample(rest, 1, prob = exp(-worth[rest]))
  data.frame(comparison = r, option = names4, best = names4 == best, worst = names4 == worst)
}))
stages <- do.call(rbind, lapply(split(bw, bw$comparison), function(part) {
  e <- diag(4)
  first <- data.frame(e, y = as.numeric(part$best), s = part$comparison[1] * 2)
  second <- data.frame(-e[!part$best, ], y = as.numeric(part$worst[!part$best]), s = part$comparison[1] * 2 + 1)
  rbind(first, second)
}))
sequential <- clogit(y ~ X2 + X3 + X4 + strata(s), stages, control = coxph.control(eps = 1e-13, toler.chol = 1e-15, iter.max = 100))
maxdiff_rows <- do.call(rbind, lapply(split(bw, bw$comparison), function(part) {
  grid <- subset(expand.grid(b = 1:4, w = 1:4), b != w)
  X <- diag(4)[grid$b, ] - diag(4)[grid$w, ]
  data.frame(X, y = as.numeric(part$best[grid$b] & part$worst[grid$w]), s = part$comparison[1])
}))
maxdiff <- clogit(y ~ X2 + X3 + X4 + strata(s), maxdiff_rows, control = coxph.control(eps = 1e-13, toler.chol = 1e-15, iter.max = 100))
bw_out <- list(
  worth = centred(coef(sequential)), se = errors(vcov(sequential)),
  maxdiff_worth = centred(coef(maxdiff)), maxdiff_se = errors(vcov(maxdiff))
)

# --- mixed ---
frame <- data.frame(won = decided$won, participant = decided$participant, D)
mixed <- suppressWarnings(suppressMessages(glmer(
  won ~ 0 + B + C + D + (0 + A | participant) + (0 + B | participant) + (0 + C | participant) + (0 + D | participant),
  frame, binomial,
  control = glmerControl(optimizer = "bobyqa", tolPwrss = 1e-12, optCtrl = list(rhoend = 1e-8, maxfun = 1e5))
)))
mixed_out <- list(
  worth = centred(fixef(mixed)), se = errors(as.matrix(vcov(mixed))), log_lik = as.numeric(logLik(mixed)),
  sd = as.list(as.data.frame(VarCorr(mixed))$sdcor)
)

rankings$option <- as.character(rankings$option)
write(toJSON(list(
  version = R.version.string,
  data = list(judgements = judgements, rankings = rankings, best_worst = bw),
  pairs = lapply(pairs_out, as.list), ties = lapply(ties_out, as.list), rankings = lapply(rankings_out, as.list),
  best_worst = lapply(bw_out, as.list), mixed = lapply(mixed_out, as.list)
), digits = NA, auto_unbox = TRUE), stdout())
