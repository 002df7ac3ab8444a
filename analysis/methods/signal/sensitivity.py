"""d′ and criterion of counts of hits and false alarms."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import Floats


def log_linear(successes: Floats, n: Floats) -> Floats:
    """Return (successes + .5)/(n + 1), the rate that is never 0 or 1; NaN where n is 0.

    Added to all counts alike, not only to extreme ones (Hautus 1995, *Behavior Research Methods, Instruments, &
    Computers* 27, 46–51).

    >>> log_linear(np.array([0.0, 10.0, 0.0]), np.array([10.0, 10.0, 0.0])).round(4).tolist()
    [0.0455, 0.9545, nan]
    """
    return np.asarray(np.where(n > 0, (successes + 0.5) / (n + 1), np.nan), dtype=np.float64)


def d_prime(hits: Floats, n_signal: Floats, false_alarms: Floats, n_noise: Floats) -> Floats:
    """Return z(H) − z(F) of log-linear rates: 0 where signal and noise are answered alike; NaN without one of them.

    >>> d_prime(*np.array([[20.0], [25.0], [10.0], [25.0]])).round(4).tolist()
    [1.0445]
    """
    return np.asarray(
        scipy.stats.norm.ppf(log_linear(hits, n_signal)) - scipy.stats.norm.ppf(log_linear(false_alarms, n_noise)),
        dtype=np.float64,
    )


def criterion(hits: Floats, n_signal: Floats, false_alarms: Floats, n_noise: Floats) -> Floats:
    """Return −(z(H) + z(F))/2 of log-linear rates: below 0 where people lean to the answer signal.

    >>> criterion(*np.array([[20.0], [25.0], [10.0], [25.0]])).round(4).tolist()
    [-0.2788]
    """
    return np.asarray(
        -(scipy.stats.norm.ppf(log_linear(hits, n_signal)) + scipy.stats.norm.ppf(log_linear(false_alarms, n_noise)))
        / 2,
        dtype=np.float64,
    )


def standard_error(hits: Floats, n_signal: Floats, false_alarms: Floats, n_noise: Floats) -> Floats:
    """Return the standard error of d′; that of the criterion is half of it.

    √(H(1 − H)/(n_s φ(z(H))²) + F(1 − F)/(n_n φ(z(F))²)) with log-linear rates (Gourevitch & Galanter 1967,
    *Psychometrika* 32, 25–33). NaN without signal or noise.

    >>> standard_error(*np.array([[20.0], [25.0], [10.0], [25.0]])).round(4).tolist()
    [0.3793]
    """
    return np.asarray(
        np.sqrt(_variance(log_linear(hits, n_signal), n_signal) + _variance(log_linear(false_alarms, n_noise), n_noise))
    )


def _variance(rate: Floats, n: Floats) -> Floats:
    density = scipy.stats.norm.pdf(scipy.stats.norm.ppf(rate))
    return np.asarray(rate * (1 - rate) / (np.maximum(n, 1) * density**2), dtype=np.float64)


def expected_d_prime(true: float, n_signal: int, n_noise: int, bias: float = 0.0) -> float:
    """Return the mean of the corrected d′ over all possible counts of somebody whose d′ is `true`, criterion `bias`.

    >>> round(expected_d_prime(2.0, 20, 20), 3)
    1.974
    """
    p_hit, p_false = scipy.stats.norm.cdf(true / 2 - bias), scipy.stats.norm.cdf(-true / 2 - bias)
    hits, alarms = np.arange(n_signal + 1.0), np.arange(n_noise + 1.0)
    z_hit = scipy.stats.norm.ppf(log_linear(hits, np.full_like(hits, n_signal)))
    z_false = scipy.stats.norm.ppf(log_linear(alarms, np.full_like(alarms, n_noise)))
    return float(
        scipy.stats.binom.pmf(hits, n_signal, p_hit) @ z_hit - scipy.stats.binom.pmf(alarms, n_noise, p_false) @ z_false
    )
