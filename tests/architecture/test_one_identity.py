"""Front page, log-in, participants' frame, researchers' pages and documents: one blue, one typeface, one logo."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from experiments.rules.look import is_readable, pressed_colour

ROOT = Path(settings.BASE_DIR)
STUDIES = ROOT / "experiments" / "static" / "studies"
TOKENS = dict(re.findall(r"--([\w-]+): ([^;]+);", (STUDIES / "identity.css").read_text("utf-8")))
SURFACES = ("config", "experiments", "participants", "analysis", "frontend/src")
# Colours of data, not of the platform: those of figures, and of conditions.
OF_FIGURES = {"figure-dark.css"}
OF_CONDITIONS = re.compile(r"--c\d+: [^;]+;")
COLOUR = re.compile(
    r'#[0-9a-fA-F]{6}\b|(?<!href=")#[0-9a-fA-F]{3}\b|oklch\(([\d.]+)%? ([\d.]+) ([\d.]+)[^)]*\)|\brgba?\([^)]*\)'
)
NAMED = re.compile(r":\s*(?:\w*blue|navy|teal|cyan|aqua)\b", re.IGNORECASE)
FAMILY = re.compile(r"(?:font-family|--(?:font-)?sans|--md-text-font|--typeface)\s*:\s*([^;}]+)|\bfont\s*:\s*([^;}]+)")
MONO_OR_SERIF = ("monospace", "var(--mono", "serif", "var(--serif)")


def sources() -> list[Path]:
    found = [ROOT / "config" / "settings.py"]
    for surface in SURFACES:
        for kind in ("*.css", "*.html", "*.svg"):
            found += [path for path in (ROOT / surface).rglob(kind) if "node_modules" not in path.parts]
    return [path for path in found if path.name not in OF_FIGURES]


def lightness_chroma_hue(colour: str) -> tuple[float, float, float]:
    """Return a colour of CSS in OKLCH (Ottosson 2020)."""
    if declared := re.fullmatch(r"oklch\(([\d.]+)%? ([\d.]+) ([\d.]+)[^)]*\)", colour):
        return float(declared[1]) / 100, float(declared[2]), float(declared[3])
    if colour.startswith("rgb"):
        shares = [float(one) / 255 for one in re.findall(r"[\d.]+", colour)[:3]]
    else:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * one for one in colour[1:])
        shares = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    lightness = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def second_blues(text: str) -> list[str]:
    """Return the blues of a source that are neither the platform's nor a shade of it."""
    hue = lightness_chroma_hue(TOKENS["blue"])[2]
    found = NAMED.findall(text)
    for colour in (match.group() for match in COLOUR.finditer(OF_CONDITIONS.sub("", text))):
        if colour in (TOKENS["blue"], TOKENS["blue-pressed"]):
            continue
        _lightness, chroma, own_hue = lightness_chroma_hue(colour)
        is_shade = colour.startswith("oklch") and abs(own_hue - hue) < 1
        if chroma > 0.018 and 195 < own_hue < 290 and not is_shade:
            found.append(colour)
    return found


def test_no_surface_has_a_second_blue() -> None:
    found = {str(path.relative_to(ROOT)): second_blues(path.read_text("utf-8")) for path in sources()}
    assert {path: blues for path, blues in found.items() if blues} == {}


OTHERS = ["a { color: #0b4f8a }", "--accent: oklch(45% 0.095 251)", "fill: navy", "color: #1c4c5c"]


@pytest.mark.parametrize("text", OTHERS)
def test_a_second_blue_is_found(text: str) -> None:
    assert second_blues(text)


def test_the_blue_is_declared_once_and_repeated_only_where_no_file_may_be_loaded() -> None:
    places = {path.name for path in sources() if TOKENS["blue"] in path.read_text("utf-8")}
    assert places == {"identity.css", "icon.svg", "error.html"}


def test_white_words_are_readable_on_the_blue() -> None:
    assert is_readable(TOKENS["blue"])
    assert TOKENS["blue-pressed"] == pressed_colour(TOKENS["blue"])


def test_every_surface_takes_its_typeface_from_the_declaration() -> None:
    others = {}
    for path in sources():
        # The report that leaves as a file is set like a paper.
        if path.suffix != ".css" or path.name == "identity.css" or "reports" in path.parts:
            continue
        text = re.sub(r"@font-face\s*{[^}]*}", "", path.read_text("utf-8"))
        families = [" ".join((one or other).split()) for one, other in FAMILY.findall(text)]
        strange = [
            family
            for family in families
            if not re.search(r"inherit|var\(--(?:sans|typeface|system-typeface)\)", family)
            and not any(kind in family for kind in MONO_OR_SERIF)
        ]
        if strange:
            others[path.name] = strange
    # Reading with the mouse measures where every letter is, and waits for its one typeface before the trial.
    measured = others.pop("style.css", [])
    assert others == {}
    assert all(family.startswith('"Source Sans 3", system-ui') for family in measured)
    assert TOKENS["typeface"].startswith('"Source Sans 3"')


@pytest.mark.django_db
def test_pages_carry_logo_typeface_and_blue(client: Client, settings: object) -> None:
    settings.LABORATORY = "Laboratory of <Psycholinguistics>"  # type: ignore[attr-defined]
    front, log_in = (client.get(address).content.decode() for address in ("/", "/admin/login/"))
    client.force_login(User.objects.create_superuser("ada"))
    studies = client.get("/admin/").content.decode()
    for page in (front, log_in, studies):
        assert "/static/fonts/source-sans-3.css" in page
        assert '<img src="/static/studies/icon.svg"' in page or 'src="/static/studies/icon.svg"' in page
    for page in (log_in, studies):
        assert "/static/studies/identity.css" in page
    for page in (front, log_in):
        assert "Laboratory of &lt;Psycholinguistics&gt;" in page
    assert 'href="/admin/"' in front
    assert 'href="/docs/"' in front


def test_participants_styles_and_documents_take_the_tokens_of_the_same_file() -> None:
    styles = (ROOT / "frontend" / "src" / "page" / "styles.css").read_text("utf-8")
    assert '@import "../../../experiments/static/studies/identity.css";' in styles
    documents = (ROOT / "mkdocs.yml").read_text("utf-8").split("plugins:")[0]
    theme = yaml.safe_load(documents)
    assert theme["theme"]["logo"] == theme["theme"]["favicon"] == "icon.svg"
    assert theme["extra_css"] == ["identity.css", "lectern.css"]


def test_trials_load_no_typeface_that_could_arrive_late() -> None:
    run = (ROOT / "participants" / "templates" / "participants" / "run.html").read_text("utf-8")
    assert "{% block typeface %}{% endblock %}" in run
