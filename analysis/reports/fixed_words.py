"""List the words that methods write where names of factors and levels can be, so that no label replaces them.

A name that is one of them is left as it is there, since it cannot be told from the word. A test finds in the sources
what is missing here.
"""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What stands before a name, and the words that methods write behind it.
BEFORE: Mapping[str, frozenset[str]] = {
    "effect of ": frozenset(),
    "effects of ": _words("and every items participants the their"),
    "interaction of ": frozenset(),
    "interactions of ": _words("the"),
    "conditions of ": _words("an"),
    "levels of ": _words("a other these"),
    "level of ": _words("a by every intervals systems the these significance"),
    "mean of ": _words("a add all both delete k one texts the their those"),
    "Mean of ": _words("a b the"),
    "odds of ": _words("a b"),
    "error of ": _words("a and differences galanter gourevitch its simulation that the"),
    "Models of ": frozenset(),
    "averaged over ": _words("and groups items n the unless"),
    "difference ": _words("below between has in is lies of only or over t than that to whose"),
    "minus ": _words("first half mean predicted sign that the worst"),
    "− ": _words("b p high low mean predicted worst x z α η σ"),
    "× ": frozenset(),
    " by ": _words(
        "row effect as a about up afex and aoi approximate at both by chance commas computation condition "
        "construction default "
        "design "
        "different entropy_corrected fisher's geisser greenhouse holm how implementation it item its itself less "
        "likelihood list lists maximum mean more much n named not nothing numbers one or other parsimonious "
        "participant people place quadrature quantile region reml restricted sample semicolons set shares side "
        "simulating simulation six so something spearman such the their themselves these trial two uncorrelated "
        "wald's way welch's which whose williams' worths sets"
    ),
    " for ": _words(
        "of q planning points equal a all an and at averages better binomial both brms by contexts counts "
        "differences distractors dozens "
        "each else english every everybody example fixed fkgl gamma german good how hyphenation inverse-gaussian "
        "it items k known large lists many mcnemar's means memory mixed more no none one or other others pace "
        "participants people r random rounding saying single so speed sphericity surprisal systems t texts the "
        "their them this those ties times tokenised two want which with yes you z α glmm log lowest ordinal such "
        "continuity independent"
    ),
    " at ": _words(
        "no a all and any automatic before by-term cross-validated each every input keep least look most mostly night "
        "once one or p r random region score so system the their them these unequal which zero α its different raw"
    ),
    "between ": _words(
        "and as blanks cells coders conditions each factor groups items its levels options participants people "
        "responses rows signs so systems texts the them thresholds units variances with words between single"
    ),
    "than ": _words(
        "a about and by effects every false got groups its length observations once one poisson residuals that "
        "the these three too true twice two with α chance é so there"
    ),
    "with ": _words(
        "false length reversed something this which trials a afex all an and another average b bf01 blanks both bounds "
        "by calibrated capitals "
        "categorical clusters "
        "code codes codings coefficients condition confidence conllu continuity correlations crossed dataset "
        "davidson's design different dv each effect effects else equal error exact exactly expand_re family "
        "features few fewer holm's how intercepts intervals it item items its keep kendall's ladder language "
        "levels lmm many means modulus more n noise none not numbers one or order ordinal other others own p "
        "parser participant people's positive random rank ratings reduce reference references region reml "
        "replacement satterthwaite's scale score sds side sides signal simultaneous slopes so source sources "
        "sphericity standard such system test text the their them themselves these those ties train trial two "
        "type uncorrelated unit up very weakly weighted where while whole wilson's withheld within words z low "
        "metrics sd "
        "skewed people tests derive"
    ),
}
# What stands behind a name, and the words that methods write before it.
AFTER: Mapping[str, frozenset[str]] = {
    " −": _words("or a best between high is k n not observed words x α_k"),
    " ×": _words("s"),
    " minus ": _words("best class is last observed the"),
    " between ": _words(
        "line steps a agreement alone amount and blanks comparisons correlations decides deviation differ "
        "difference differences "
        "differs factors features lie lies none number numbers one others residuals sd stands step tests these twice "
        "units variance vary effects factor test"
    ),
    " within ": _words(
        "a adjust and averaged be change compare compared conditions deviations differences differs error every "
        "factors holm lies logarithms made measures of one or paper participant ranked ranks residuals s scores "
        "standardised the those vary weight z z-scoring z2 in levels"
    ),
}
# Alone in brackets.
IN_BRACKETS = _words(
    "calibrated nominal a absolute and approximate b bic binomial bits bonferroni bootstrap both brms "
    "cloze coefficients conditional "
    "consistency difference different dz edit equivalence equivalent exp f f1 f2 fit fluency friedman glmm group "
    "h holm hypothesis intercept laplace levels light line lmm log marginal mauchly mautner maxdiff mean median "
    "ml ms n none overdispersion pace randomisation reml rt rt_ms s satterthwaite sd signed success system tie "
    "tost tukey unadjusted undecided underdispersion variances wilson x σ² σλ median-unbiased stage-wise "
    "multinomial positive η"
)
# What is counted everywhere in sentences: no name at any of these places.
NEVER = _words(
    "participant participants item items trial trials cell cells row rows list lists session sessions word words text "
    "texts"
)
# At these places anything may stand, so that the small words of the language are no names there.
LOOSE = frozenset((" by ", " for ", " at ", "between ", "than ", "with ", " between ", " within "))
SMALL_WORDS = _words(
    "a all an and any are as at be both but by each every few for from has if in into is it its less many more most no "
    "none nor not of off on one or other out over per so some such than that the their them then there these this "
    "those to two under up very was were when which while who whom with without yes yet"
)
