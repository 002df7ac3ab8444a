"""Abbreviations without their full stop, by what a full stop after them means; and words with which sentences begin."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GOES_ON = _words("""
    mr mrs ms messrs mme mmes mlle dr drs prof rev gen col capt lt lieut sgt sen rep gov hon maj adm cmdr cpl pvt brig
    supt pres msgr amb mt vs cf ca approx e.g i.e viz
    hr fr hl mio mrd bspw bzw d.h evtl ggf inkl sog vgl z.b z.t u.a s.o s.u
""")
"""Titles and their like: a sentence goes on after them."""

GOES_ON_AS_WRITTEN = _words("Ft Pt")
"""Titles of places, which are something else in lower case: `Ft. Worth`, and `6 ft.`"""

NUMBERED = _words("""
    no nos vol fig figs eq sec ch pp p art jan feb mar apr jun jul aug sep sept oct nov dec
    nr bd abb abs aufl kap s str tab tel bzgl okt dez
""")
"""A sentence goes on where a number follows."""

BEFORE_NAMES = _words("st al inc ltd co corp jr sr bros dept univ ave blvd rd ed eds assn intl natl gmbh ph.d hrsg est")
"""They stand before names and at the end of sentences alike, and so do initials with several letters (`U.S.`)."""

STATES = _words("Ala Ariz Calif Colo Conn Fla Kan Ky Md Mich Minn Mont Neb Nev Okla Tenn Tex Vt Va Wis Wyo")
"""The same, but words in lower case are others."""

MAY_END = _words("etc a.m p.m b.c a.d b.c.e c.e ft min hrs sq usw usf")
"""They end a sentence before a capital."""

TIMES = _words("""
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun january february
    march april june july august september october november december est edt cst cdt mst mdt pst pdt gmt utc bst
    cet cest
""")
"""What may follow a time of the day (`5 p.m. Monday`)."""

BEGIN = _words("""
    the this that these those a an he she it we they i you his her its our their my your there here
    when while if as although though because since after before until once whenever wherever whether
    in on at by for from with without during under over between among through against into upon despite like unlike
    and but or so yet nor then however moreover furthermore meanwhile thus therefore hence instead otherwise besides
    also who what why where how which whose whom is are was were do does did has have had can could would should must
    not nobody nothing none no some any many most few several each every both all another others such only even
    still now today yesterday tomorrow later soon sometimes often perhaps maybe please let somebody someone everybody
    everyone everything something finally again almost nearly about around
    it's he's she's that's there's i'm i'd i'll i've we're we've we'll they're they've you're don't didn't isn't wasn't
    can't won't let's what's who's he'd she'd he'll she'll
""")
"""Words with which English sentences begin and which are no names."""

ALL = GOES_ON | NUMBERED | BEFORE_NAMES | MAY_END
