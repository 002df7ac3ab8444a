"""Collect the references of a manuscript. A work is cited if a report says that its method was used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.methods.report import Report


@dataclass(frozen=True)
class Work:
    """One entry of the bibliography. `fields` are BibTeX as it stands in the file, `short` is how text names it."""

    kind: str
    short: str
    fields: Mapping[str, str]


def _article(short: str, author: str, year: int, title: str, journal: str, volume: str, pages: str = "") -> Work:
    fields = {"author": author, "year": str(year), "title": title, "journal": journal, "volume": volume}
    return Work("article", short, {**fields, **({"pages": pages} if pages else {})})


PSYCHOMETRIKA, MEMORY = "Psychometrika", "Journal of Memory and Language"
WORKS: dict[str, Work] = {
    "bard1996": _article(
        "Bard, Robertson & Sorace, 1996", "Bard, Ellen Gurman and Robertson, Dan and Sorace, Antonella", 1996,
        "Magnitude estimation of linguistic acceptability", "Language", "72", "32--68",
    ),
    "barr2013": _article(
        "Barr et al., 2013", "Barr, Dale J. and Levy, Roger and Scheepers, Christoph and Tily, Harry J.", 2013,
        "Random effects structure for confirmatory hypothesis testing: Keep it maximal", MEMORY, "68", "255--278",
    ),
    "bates2015": _article(
        "Bates et al., 2015", "Bates, Douglas and M{\\\"a}chler, Martin and Bolker, Ben and Walker, Steve", 2015,
        "Fitting linear mixed-effects models using {lme4}", "Journal of Statistical Software", "67(1)", "1--48",
    ),
    "bates2015parsimonious": _article(
        "Bates, Kliegl, Vasishth & Baayen, 2015",
        "Bates, Douglas and Kliegl, Reinhold and Vasishth, Shravan and Baayen, Harald", 2015,
        "Parsimonious mixed models", "arXiv", "1506.04967",
    ),
    "begg1984": _article(
        "Begg & Gray, 1984", "Begg, Colin B. and Gray, Robert", 1984,
        "Calculation of polychotomous logistic regression parameters using individualized regressions", "Biometrika",
        "71", "11--18",
    ),
    "bradley1952": _article(
        "Bradley & Terry, 1952", "Bradley, Ralph Allan and Terry, Milton E.", 1952,
        "Rank analysis of incomplete block designs: {I}. The method of paired comparisons", "Biometrika", "39",
        "324--345",
    ),
    "clark1973": _article(
        "Clark, 1973", "Clark, Herbert H.", 1973,
        "The language-as-fixed-effect fallacy: A critique of language statistics in psychological research",
        "Journal of Verbal Learning and Verbal Behavior", "12", "335--359",
    ),
    "cousineau2005": _article(
        "Cousineau, 2005", "Cousineau, Denis", 2005,
        "Confidence intervals in within-subject designs: A simpler solution to {Loftus} and {Masson's} method",
        "Tutorials in Quantitative Methods for Psychology", "1", "42--45",
    ),
    "davidson1970": _article(
        "Davidson, 1970", "Davidson, Roger R.", 1970,
        "On extending the {Bradley--Terry} model to accommodate ties in paired comparison experiments",
        "Journal of the American Statistical Association", "65", "317--328",
    ),
    "deleeuw2015": _article(
        "de Leeuw, 2015", "de Leeuw, Joshua R.", 2015,
        "{jsPsych}: A {JavaScript} library for creating behavioral experiments in a {Web} browser",
        "Behavior Research Methods", "47", "1--12",
    ),
    "firth1993": _article(
        "Firth, 1993", "Firth, David", 1993, "Bias reduction of maximum likelihood estimates", "Biometrika", "80",
        "27--38",
    ),
    "freeman1951": _article(
        "Freeman & Halton, 1951", "Freeman, G. H. and Halton, J. H.", 1951,
        "Note on an exact treatment of contingency, goodness of fit and other problems of significance", "Biometrika",
        "38", "141--149",
    ),
    "friedman1937": _article(
        "Friedman, 1937", "Friedman, Milton", 1937,
        "The use of ranks to avoid the assumption of normality implicit in the analysis of variance",
        "Journal of the American Statistical Association", "32", "675--701",
    ),
    "gourevitch1967": _article(
        "Gourevitch & Galanter, 1967", "Gourevitch, Vivian and Galanter, Eugene", 1967,
        "A significance test for one parameter isosensitivity functions", PSYCHOMETRIKA, "32", "25--33",
    ),
    "greenhouse1959": _article(
        "Greenhouse & Geisser, 1959", "Greenhouse, Samuel W. and Geisser, Seymour", 1959,
        "On methods in the analysis of profile data", PSYCHOMETRIKA, "24", "95--112",
    ),
    "harris2020": _article(
        "Harris et al., 2020", "Harris, Charles R. and Millman, K. Jarrod and van der Walt, St{\\'e}fan J. and others",
        2020, "Array programming with {NumPy}", "Nature", "585", "357--362",
    ),
    "hautus1995": _article(
        "Hautus, 1995", "Hautus, Michael J.", 1995,
        "Corrections for extreme proportions and their biasing effects on estimated values of {$d'$}",
        "Behavior Research Methods, Instruments, \\& Computers", "27", "46--51",
    ),
    "holm1979": _article(
        "Holm, 1979", "Holm, Sture", 1979, "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics", "6", "65--70",
    ),
    "huynh1976": _article(
        "Huynh & Feldt, 1976", "Huynh, Huynh and Feldt, Leonard S.", 1976,
        "Estimation of the {Box} correction for degrees of freedom from sample data in randomized block and "
        "split-plot designs", "Journal of Educational Statistics", "1", "69--82",
    ),
    "just1982": _article(
        "Just, Carpenter & Woolley, 1982", "Just, Marcel Adam and Carpenter, Patricia A. and Woolley, Jacqueline D.",
        1982, "Paradigms and processes in reading comprehension", "Journal of Experimental Psychology: General", "111",
        "228--238",
    ),
    "kuznetsova2017": _article(
        "Kuznetsova, Brockhoff & Christensen, 2017",
        "Kuznetsova, Alexandra and Brockhoff, Per B. and Christensen, Rune H. B.", 2017,
        "{lmerTest} package: Tests in linear mixed effects models", "Journal of Statistical Software", "82(13)",
        "1--26",
    ),
    "matuschek2017": _article(
        "Matuschek et al., 2017",
        "Matuschek, Hannes and Kliegl, Reinhold and Vasishth, Shravan and Baayen, Harald and Bates, Douglas", 2017,
        "Balancing {Type I} error and power in linear mixed models", MEMORY, "94", "305--315",
    ),
    "westfall2014": _article(
        "Westfall, Kenny & Judd, 2014", "Westfall, Jacob and Kenny, David A. and Judd, Charles M.", 2014,
        "Statistical power and optimal design in experiments in which samples of participants respond to samples of "
        "stimuli", "Journal of Experimental Psychology: General", "143(5)", "2020--2045",
    ),
    "brysbaert2018": _article(
        "Brysbaert & Stevens, 2018", r"Brysbaert, Marc and Stevens, Micha{\"e}l", 2018,
        "Power analysis and effect size in mixed effects models: A tutorial", "Journal of Cognition", "1(1)", "9",
    ),
    "li2015": _article(
        "Li & Redden, 2015", "Li, Peng and Redden, David T.", 2015,
        "Comparing denominator degrees of freedom approximations for the generalized linear mixed model in analyzing "
        "binary outcome in small sample cluster-randomized trials", "BMC Medical Research Methodology", "15", "38",
    ),
    "mauchly1940": _article(
        "Mauchly, 1940", "Mauchly, John W.", 1940, "Significance test for sphericity of a normal $n$-variate "
        "distribution", "The Annals of Mathematical Statistics", "11", "204--209",
    ),
    "morey2008": _article(
        "Morey, 2008", "Morey, Richard D.", 2008,
        "Confidence intervals from normalized data: A correction to {Cousineau} (2005)",
        "Tutorials in Quantitative Methods for Psychology", "4", "61--64",
    ),
    "schad2020": _article(
        "Schad et al., 2020",
        "Schad, Daniel J. and Vasishth, Shravan and Hohenstein, Sven and Kliegl, Reinhold", 2020,
        "How to capitalize on a priori contrasts in linear (mixed) models: A tutorial",
        "Journal of Memory and Language", "110", "104038",
    ),
    "virtanen2020": _article(
        "Virtanen et al., 2020", "Virtanen, Pauli and Gommers, Ralf and Oliphant, Travis E. and others", 2020,
        "{SciPy} 1.0: Fundamental algorithms for scientific computing in {Python}", "Nature Methods", "17", "261--272",
    ),
    "wilcoxon1945": _article(
        "Wilcoxon, 1945", "Wilcoxon, Frank", 1945, "Individual comparisons by ranking methods", "Biometrics Bulletin",
        "1", "80--83",
    ),
}  # fmt: skip

OF_PARADIGM = {"magnitude-estimation": ("bard1996",), "self-paced-reading": ("just1982",)}
OF_METHOD = {
    "lmm": ("bates2015",),
    "glmm": ("bates2015",),
    "multinomial": ("bates2015",),
    "min-f": ("clark1973",),
    "friedman": ("friedman1937",),
    "preference": ("bradley1952",),
}
# A report that says one of these words has used what the work describes, or says why it did not.
OF_WORD = {
    "Satterthwaite": "kuznetsova2017",
    "Li & Redden": "li2015",
    "generalised inverse": "schad2020",
    "parsimonious selection": "bates2015parsimonious",
    "Matuschek": "matuschek2017",
    "Westfall": "westfall2014",
    "Brysbaert": "brysbaert2018",
    "Barr et al.": "barr2013",
    "Mauchly": "mauchly1940",
    "Greenhouse": "greenhouse1959",
    "Huynh": "huynh1976",
    "Holm": "holm1979",
    "Begg & Gray": "begg1984",
    "Freeman and Halton": "freeman1951",
    "Cousineau": "cousineau2005",
    "Morey": "morey2008",
    "Davidson": "davidson1970",
    "Firth": "firth1993",
    "Hautus": "hautus1995",
    "Gourevitch": "gourevitch1967",
    "Wilcoxon": "wilcoxon1945",
}


def works_of(report: Report) -> tuple[str, ...]:
    """Return the keys of the works that a report rests on: those of its method, and those that its words name."""
    said = " ".join((*report.sentences, *report.notes))
    named = [key for word, key in OF_WORD.items() if word in said]
    return tuple(sorted({*OF_METHOD.get(report.method, ()), *named}))


def bibtex(keys: list[str]) -> str:
    """Return the bibliography of these works as BibTeX, in their order."""
    entries = []
    for key in keys:
        work = WORKS[key]
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in work.fields.items())
        entries.append(f"@{work.kind}{{{key},\n{fields}}}\n")
    return "\n".join(entries)


def printed(key: str) -> str:
    """Return an entry as a line of a list of references, for formats that know no BibTeX."""
    given = {name: _plain(value) for name, value in WORKS[key].fields.items()}
    pages = f", {given['pages']}" if "pages" in given else ""
    authors = given["author"].replace(" and others", ", et al.").replace(" and ", "; ")
    return f"{authors} ({given['year']}). {given['title']}. {given['journal']}, {given['volume']}{pages}."


def _plain(text: str) -> str:
    for written, letter in (
        ('{\\"a}', "ä"),
        ('{\\"e}', "ë"),
        ("{\\'e}", "é"),
        ("\\&", "&"),
        ("--", "–"),
        ("$d'$", "d′"),
        ("$", ""),
    ):
        text = text.replace(written, letter)
    return text.replace("{", "").replace("}", "")
