"""Write a manuscript as LaTeX, in pure ASCII so that every engine and editor reads it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from analysis.papers.blocks import Block, Heading, Paper, Paragraph, Picture, Tabular
from analysis.reports.apa import UNDEFINED
from analysis.reports.shown_tables import LINE_OF_TEXT
from analysis.reports.symbols import Piece, heading_pieces, pieces

SPECIAL = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "|": "\\textbar{}", '"': "\\textquotedbl{}", "`": "\\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "-": "-{}", ",": ",{}", "'": "'{}", "?": "?{}", "!": "!{}",
}  # fmt: skip
# These are only special beside one of their own kind, where LaTeX makes one character of two.
LIGATURES = "-,'?!"
LETTERS = {
    "ß": "\\ss{}", "æ": "\\ae{}", "Æ": "\\AE{}", "œ": "\\oe{}", "Œ": "\\OE{}", "ø": "\\o{}", "Ø": "\\O{}",
    "ł": "\\l{}", "Ł": "\\L{}", "đ": "\\dj{}", "Đ": "\\DJ{}", "ð": "\\dh{}", "Ð": "\\DH{}", "þ": "\\th{}",
    "Þ": "\\TH{}", "ı": "\\i{}", "–": "--{}", "—": "---{}", "‘": "\\textquoteleft{}", "’": "\\textquoteright{}",
    "“": "\\textquotedblleft{}", "”": "\\textquotedblright{}", "„": "\\quotedblbase{}", "‚": "\\quotesinglbase{}",
    "«": "\\guillemotleft{}", "»": "\\guillemotright{}", "…": "\\textellipsis{}", "§": "\\S{}", "¶": "\\P{}",
    "©": "\\textcopyright{}", "®": "\\textregistered{}", "°": "\\textdegree{}", "€": "\\texteuro{}",
    "£": "\\textsterling{}", "¡": "\\textexclamdown{}", "¿": "\\textquestiondown{}", "\u00a0": "~",
    "†": "\\textdagger{}", "•": "\\textbullet{}",
}  # fmt: skip
MATHS = {
    "−": "-", "×": "\\times", "÷": "\\div", "±": "\\pm", "≤": "\\leq", "≥": "\\geq", "≠": "\\neq", "≈": "\\approx",
    "→": "\\rightarrow", "←": "\\leftarrow", "∞": "\\infty", "√": "\\surd", "∑": "\\sum", "∈": "\\in", "′": "'",
    "α": "\\alpha", "β": "\\beta", "γ": "\\gamma", "δ": "\\delta", "ε": "\\varepsilon", "ζ": "\\zeta", "η": "\\eta",
    "θ": "\\theta", "κ": "\\kappa", "λ": "\\lambda", "μ": "\\mu", "µ": "\\mu", "ν": "\\nu", "ξ": "\\xi", "π": "\\pi",
    "ρ": "\\rho", "σ": "\\sigma", "τ": "\\tau", "φ": "\\varphi", "χ": "\\chi", "ψ": "\\psi", "ω": "\\omega",
    "Γ": "\\Gamma", "Δ": "\\Delta", "Θ": "\\Theta", "Λ": "\\Lambda", "Σ": "\\Sigma", "Φ": "\\Phi", "Ψ": "\\Psi",
    "Ω": "\\Omega", "ₚ": "_{p}", "·": "\\cdot",
    **{digit: f"^{{{n}}}" for n, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{digit: f"_{{{n}}}" for n, digit in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}  # fmt: skip
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0328": "k",
    "\u0331": "b",
}  # fmt: skip

# A text of more letters is a paragraph in a table.
LONG_TEXT = 90

PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\ifdefined\Umathchar % XeTeX and LuaTeX
  \usepackage{fontspec}
  \newcommand{\unicodechar}[1]{\symbol{"#1}}
\else
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  % A character that pdfTeX has no letter for; XeLaTeX and LuaLaTeX print it where the font has it.
  \newcommand{\unicodechar}[1]{[U+#1]}
\fi
\usepackage[margin=25mm]{geometry}
\usepackage{array}
\usepackage{graphicx}
\usepackage{booktabs}
\usepackage{natbib}
\emergencystretch=3em
"""


def escaped(text: str) -> str:
    r"""Escape text for LaTeX, whatever characters it contains; line breaks become spaces.

    >>> escaped("50% of $x_1$"), escaped("Müller – η²"), escaped("--"), escaped("😀")
    ('50\\% of \\$x\\_1\\$', 'M\\"{u}ller --{} \\ensuremath{\\eta}\\ensuremath{^{2}}', '-{}-', '\\unicodechar{1F600}')
    """
    pieces = []
    letters = unicodedata.normalize("NFC", text)
    for place, letter in enumerate(letters):
        following = letters[place + 1 : place + 2]
        pieces.append(letter if letter in LIGATURES and following not in (letter, "`") else _letter(letter))
    return "".join(pieces)


def _letter(letter: str) -> str:
    if letter in SPECIAL:
        return SPECIAL[letter]
    if " " <= letter <= "\x7e":
        return letter
    if letter in LETTERS:
        return LETTERS[letter]
    if letter in MATHS:
        return f"\\ensuremath{{{MATHS[letter]}}}"
    if letter.isspace() or unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return " "
    base, *marks = tuple(unicodedata.normalize("NFD", letter))
    if re.fullmatch("[A-Za-z]", base) and len(marks) == 1 and marks[0] in ACCENTS:
        return f"\\{ACCENTS[marks[0]]}{{{base}}}"
    return f"\\unicodechar{{{ord(letter):X}}}"


def sentence(text: str) -> str:
    r"""Return text with the symbols of statistics in italics and their indices below the line.

    >>> sentence("F1(1, 49) = 5.19")
    '\\textit{F}\\textsubscript{1}(1,~49)~=~5.19'
    """
    return _written(pieces(text))


def _written(found: Iterable[Piece]) -> str:
    commands = {"plain": "{}", "symbol": "\\textit{{{}}}", "index": "\\textsubscript{{{}}}"}
    return "".join(commands[piece.style].format(escaped(piece.text)) for piece in found)


def table_tex(table: Tabular) -> str:
    """Return the body of a table as a file of its own, to be put in by `input`."""
    return "\n".join([comment(table.source), "\\par\\medskip\n".join(map(_tabular, table.pieces())), ""])


def _tabular(table: Tabular) -> str:
    columns = zip(table.is_number, zip(*table.rows, strict=True) if table.rows else table.heads, strict=True)
    spec = "".join("r" if number else _of_text(cells) for number, cells in columns)
    lines = [f"\\begin{{tabular}}{{{spec}}}", "\\toprule", _heads(table), "\\midrule", *map(_row, table.rows)]
    made = "\n".join([*lines, "\\bottomrule", "\\end{tabular}"])
    # A little too wide for the letters of this font, it is drawn smaller.
    return f"\\resizebox{{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}}{{!}}{{%\n{made}}}"


def _of_text(cells: Iterable[str]) -> str:
    """Return the column of words: as wide as they are, or in lines where they are long."""
    longest = max(map(len, cells), default=0)
    if longest <= LINE_OF_TEXT:
        return "l"
    width = "0.6\\textwidth" if longest > LONG_TEXT else "10em"
    return f">{{\\raggedright}}p{{{width}}}"


def _heads(table: Tabular) -> str:
    heads = []
    for place, (head, number) in enumerate(zip(table.heads, table.is_number, strict=True)):
        longest = max((len(row[place]) for row in table.rows), default=0)
        lines = _lines(head, max(longest, 6)) if number else [head]
        # Only the beginning of a heading is a symbol.
        written = [_written(heading_pieces(line, is_number=number and not at)) for at, line in enumerate(lines)]
        heads.append(written[0] if len(lines) == 1 else "\\shortstack[r]{" + "\\\\".join(written) + "}")
    return " & ".join(heads) + " \\tabularnewline"


def _lines(head: str, width: int) -> list[str]:
    """Return a heading in lines of about so many letters.

    >>> _lines("p (Greenhouse–Geisser)", 6)
    ['p', '(Greenhouse–', 'Geisser)']
    """
    lines: list[str] = []
    for word in filter(None, re.split(r"(?<=[-–])|\s+", head)):
        joint = "" if lines and lines[-1].endswith(("-", "–")) else " "
        if lines and len(lines[-1]) + len(joint) + len(word) <= width:
            lines[-1] += joint + word
        else:
            lines.append(word)
    return lines or [head]


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(escaped(cell or UNDEFINED) for cell in cells) + " \\tabularnewline"


def comment(source: str) -> str:
    """Return where numbers come from as a comment of one line."""
    return "% source: " + re.sub(r"[^\x20-\x7e]", "?", source)


def paper_tex(paper: Paper) -> str:
    """Return the whole manuscript; its tables and figures are files beside it."""
    parts = [
        PREAMBLE + _numbered(paper.prefix) + f"\\title{{{escaped(paper.title)}}}",
        f"\\author{{{escaped(paper.authors)}}}",
        "\\date{}",
        "\\begin{document}",
        "\\maketitle",
        *(_block(block) for block in paper.blocks),
    ]
    if paper.cited:
        parts += ["\\bibliographystyle{plainnat}", "\\bibliography{references}"]
    return "\n\n".join([*parts, "\\end{document}"]) + "\n"


def _numbered(prefix: str) -> str:
    if not prefix:
        return ""
    kinds = ("table", "figure")
    return "".join(f"\\renewcommand{{\\the{kind}}}{{{prefix}\\arabic{{{kind}}}}}\n" for kind in kinds)


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"\\{'sub' * (block.level - 1)}section{{{sentence(block.text)}}}"
    if isinstance(block, Paragraph):
        cites = f" \\citep{{{','.join(block.cites)}}}" if block.cites else ""
        before = f"{comment(block.source)}\n" if block.source else ""
        return before + sentence(block.text) + cites
    if isinstance(block, Tabular):
        return "\n".join(
            (
                comment(block.source),
                "\\begin{table}[htbp]",
                "\\centering\\footnotesize",
                f"\\caption{{{sentence(block.title)}}}",
                f"\\input{{{block.path}.tex}}",
                f"\n\\smallskip\\footnotesize {sentence(block.note)}" if block.note else "",
                "\\end{table}",
            )
        )
    return _picture(block)


def _picture(block: Picture) -> str:
    return "\n".join(
        (
            comment(block.source),
            "\\begin{figure}[htbp]",
            "\\centering",
            f"\\includegraphics{{{block.path}.pdf}}",
            f"\\caption{{{sentence(_captioned(block))}}}",
            "\\end{figure}",
        )
    )


def _captioned(block: Picture) -> str:
    return f"{block.title.rstrip('.')}. {block.caption}".strip()
