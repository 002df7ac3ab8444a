"""Write a model as an R script for brms, with weakly informative priors on the scale of the data; it is not run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from analysis.methods.mixed.design.codings import OWN, Coding
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.terms import Part, RandomTerm, Term, Variable
from analysis.methods.mixed.design.variables import Categorical, Numeric

FAMILIES = {
    "gaussian": "gaussian()",
    "bernoulli": 'bernoulli("logit")',
    "binomial": 'binomial("logit")',
    "cumulative": 'cumulative("logit")',
    "poisson": 'poisson("log")',
    "negative-binomial": 'negbinomial("log")',
    "gamma": 'Gamma("{link}")',
    "inverse-gaussian": 'inverse.gaussian("{link}")',
}
WITH_LOG = frozenset({"poisson", "negative-binomial", "gamma", "inverse-gaussian"})
FROM_LOGIT = frozenset({"bernoulli", "binomial", "cumulative"})
# On the log scale: 95 % of such a prior lies between a seventh and the sevenfold.
LOG_RATIO = 1.0
# In log odds: 95 % of such a prior lies between probabilities of 5 % and 95 %.
LOG_ODDS = 1.5
IN_R = {
    "treatment": "contr.treatment",
    "sum": "contr.sum",
    "helmert": "contr.helmert",
    "repeated": "MASS::contr.sdif",
    "polynomial": "contr.poly",
}
RESERVED = frozenset({"if", "else", "repeat", "while", "function", "for", "next", "break", "in"})


def brms_script(
    design: Design,
    *,
    family: str,
    link: str = "",
    outcome: Sequence[str] = (),
    trials: str | None = None,
    mean: float = 0.0,
) -> str:
    """Return the text of an R script that fits a design with brms.

    `family` is gaussian, bernoulli, binomial, cumulative, poisson, negative-binomial, gamma or inverse-gaussian, the
    last two with the `link` log or identity. `outcome` holds the value that counts as success (bernoulli) or the
    categories in order (cumulative), `trials` the column of the number of trials (binomial) or of the exposure of
    counts, `mean` the mean of y (per unit of exposure) where a link is log.

    Columns get names that R and brms take; functions of columns become columns of their own. Priors: intercept
    normal(mean of y, 2.5 SD of y); an effect of a factor normal(0, SD of y), of a numeric predictor that over the SD of
    the predictor; standard deviations exponential with the mean SD of y (of slopes over that of their predictor);
    correlations lkj(2). In log odds the SD of y is 1.5, that of random effects 1. With a log link the mean of y is the
    logarithm of its mean, the SD of y and of random effects 1.
    """
    names = _names(design, trials)
    response = names[design.formula.response]
    size = "rate" if family in WITH_LOG else "trials"
    left = f"{response} | {size}({names['trials']})" if trials else response
    terms = [_part(design.formula.fixed, names), *(_random(term, names) for term in design.formula.random)]
    lines = [
        f"# {design.formula.text}",
        "# The model of this report for brms, with weakly informative priors on the scale of the data. It was written,",
        "# not run. data.csv is the table that was analysed; leave out the rows that the report left out (its notes).",
        "# brms gives each contrast of a factor in a term with || a standard deviation of its own.",
        "library(brms)",
        "",
        'data <- read.csv("data.csv", check.names = FALSE, colClasses = "character", na.strings = c("", "NA"))',
        *_prepared(design, names, family=family, outcome=outcome, trials=trials),
        "",
        f"model <- bf({left} ~ {' + '.join(terms)})",
        "",
        "priors <- c(",
        ",\n".join(f"  {prior}" for prior in _priors(design, names, family=family, link=link, mean=mean)),
        ")",
        "",
        f"fit <- brm(model, data = data, family = {FAMILIES[family].format(link=link)}, prior = priors,",
        '           chains = 4, iter = 4000, cores = 4, seed = 1, sample_prior = "yes")',
        "summary(fit)",
        "pp_check(fit)",
    ]
    return "\n".join(lines) + "\n"


Names = Mapping[Variable | str, str]


def _names(design: Design, trials: str | None) -> Names:
    """Return a name that R takes for every variable, grouping column and the column of trials."""
    found: dict[Variable | str, str] = {}
    taken: set[str] = set()
    variables = [design.formula.response, *design.variables.predictors]
    wanted: list[tuple[Variable | str, str]] = [(variable, _plain(variable)) for variable in variables]
    wanted += [(name, name) for name in design.formula.groupings]
    wanted += [("trials", trials)] if trials else []
    for key, text in wanted:
        name = _syntactic(text)
        if isinstance(key, str) and key != "trials":
            same = next((found[v] for v in variables if v.column == key and not v.function and v.power == 1), None)
            if same is not None:
                found[key] = same
                continue
        number = 2
        while name in taken:
            name, number = f"{_syntactic(text)}.{number}", number + 1
        taken.add(name)
        found[key] = name
    return found


def _plain(variable: Variable) -> str:
    power = f" {variable.power}" if variable.power != 1 else ""
    return f"{variable.function} {variable.column}{power}"


def _syntactic(text: str) -> str:
    """Return a name that needs no backticks in R and has no underscores where brms forbids them.

    >>> _syntactic("rating_log-ratio"), _syntactic("2nd item"), _syntactic("if")
    ('rating_log_ratio', 'x2nd_item', 'if.')
    """
    name = re.sub(r"[^A-Za-z0-9.]+", "_", text).strip("_.") or "x"
    name = name if name[0].isalpha() else f"x{name}"
    return f"{name}." if name in RESERVED else name


def _quoted(text: str) -> str:
    """Return text as a string of R."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _vector(texts: Sequence[str]) -> str:
    return f"c({', '.join(map(_quoted, texts))})"


def _prepared(design: Design, names: Names, *, family: str, outcome: Sequence[str], trials: str | None) -> list[str]:
    columns = dict.fromkeys([*design.formula.columns, *([trials] if trials else [])])
    lines = [f"data <- data[complete.cases(data[{_vector(list(columns))}]), ]"]
    response = design.formula.response
    source = f"data[[{_quoted(response.column)}]]"
    if family == "bernoulli":
        lines.append(f"data${names[response]} <- as.integer({source} %in% {_vector(outcome)})")
    elif family == "cumulative":
        lines.append(f"data${names[response]} <- factor({source}, levels = {_vector(outcome)}, ordered = TRUE)")
    else:
        lines.append(f"data${names[response]} <- {_computed(response, f'as.numeric({source})')}")
    for variable, read in design.variables.predictors.items():
        source, name = f"data[[{_quoted(variable.column)}]]", f"data${names[variable]}"
        if isinstance(read, Categorical):
            lines.append(f"{name} <- factor({source}, levels = {_vector(read.levels)})")
            lines.append(f"contrasts({name}) <- {_contrasts(design.codings[variable])}")
        else:
            lines.append(f"{name} <- {_computed(variable, f'as.numeric({source})')}")
    named = {names[variable] for variable in design.variables.predictors}
    for group in design.formula.groupings:
        if names[group] not in named:
            lines.append(f"data${names[group]} <- factor(data[[{_quoted(group)}]])")
    if trials:
        lines.append(f"data${names['trials']} <- as.numeric(data[[{_quoted(trials)}]])")
    return lines


def _contrasts(coding: Coding) -> str:
    """Return contrasts as R has them; those of one's own as the generalised inverse of their weights."""
    if coding.kind != OWN:
        return f"{IN_R[coding.kind]}({len(coding.codes)})"
    rows = (", ".join(f"{weight:.12g}" for weight in weights) for weights in coding.hypotheses[: coding.given])
    return f"MASS::ginv(rbind({', '.join(f'c({row})' for row in rows)}))"


def _computed(variable: Variable, source: str) -> str:
    text = {"center": f"{source} - mean({source})", "scale": f"as.numeric(scale({source}))", "": source}.get(
        variable.function, f"{variable.function}({source})"
    )
    return text if variable.power == 1 else f"({text})^{variable.power}"


def _term(term: Term, names: Names) -> str:
    return ":".join(names[variable] for variable in term)


def _part(part: Part, names: Names) -> str:
    return " + ".join(["1" if part.intercept else "0", *(_term(term, names) for term in part.terms)])


def _random(term: RandomTerm, names: Names) -> str:
    bar = "|" if term.correlated else "||"
    return f"({_part(term.part, names)} {bar} {':'.join(names[group] for group in term.group)})"


def _priors(design: Design, names: Names, *, family: str, link: str, mean: float) -> list[str]:
    is_linear = family == "gaussian" or link == "identity"
    scale = (float(design.y.std(ddof=1)) or 1.0) if is_linear else LOG_RATIO if family in WITH_LOG else LOG_ODDS
    centre = float(design.y.mean()) if is_linear else 0.0
    if family in WITH_LOG and not is_linear:
        centre = float(np.log(mean or 1.0))
    around = f"normal({_number(centre)}, {_number(2.5 * scale if family not in FROM_LOGIT else LOG_ODDS)})"
    has_intercept = design.formula.fixed.intercept or family == "cumulative"
    found = [f"prior({around}, class = Intercept)"] if has_intercept else []
    spread = {term: _spread(design, position) for position, term in enumerate(design.fixed.terms)}
    if spread and not has_intercept:
        found.append(f"prior({around}, class = b)")
    elif spread:
        # Effects without a name of their own here, such as those of factors, share the widest prior that one needs.
        shared = [scale / size for term, size in spread.items() if not _own(design, term)]
        found.append(f"prior(normal(0, {_number(max(shared, default=scale))}), class = b)")
    for term, size in spread.items():
        if _own(design, term):
            found.append(f"prior(normal(0, {_number(scale / size)}), class = b, coef = {names[term[0]]})")
    random = scale if is_linear else 1.0
    if design.formula.random:
        found.append(f"prior(exponential({_number(1 / random)}), class = sd)")
    for one in design.formula.random:
        for term in one.part.terms:
            if _own(design, term):
                rate, group = _sd(design, term) / random, ":".join(names[name] for name in one.group)
                found.append(
                    f"prior(exponential({_number(rate)}), class = sd, coef = {names[term[0]]}, "
                    f"group = {_quoted(group) if ':' in group else group})"
                )
    if any(one.correlated and len(one.part.terms) + one.part.intercept > 1 for one in design.formula.random):
        found.append("prior(lkj(2), class = cor)")
    if family == "gaussian":
        found.append(f"prior(exponential({_number(1 / scale)}), class = sigma)")
    return found


def _own(design: Design, term: Term) -> bool:
    """Return whether a term is one numeric predictor, whose coefficient has a name that is known here."""
    return len(term) == 1 and isinstance(design.variables.predictors[term[0]], Numeric)


def _sd(design: Design, term: Term) -> float:
    read = design.variables.predictors[term[0]]
    return (float(read.values.std(ddof=1)) or 1.0) if isinstance(read, Numeric) else 1.0


def _spread(design: Design, position: int) -> float:
    """Return the product of the SDs of a term's numeric predictors: 1 where it has factors alone."""
    return float(np.prod([_sd(design, (variable,)) for variable in design.fixed.terms[position]]))


def _number(value: float) -> str:
    return f"{value:.4g}"
