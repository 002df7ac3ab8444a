"""What the process that reads uploads finds wrong arrives as sentences, which a page can say in its own language."""

from __future__ import annotations

import pickle

import pytest
from django.utils.translation import override

from experiments.formats.faults import Fault, listed
from experiments.languages import in_language
from experiments.materials.shapes import MaterialsFaults
from experiments.sentences import Sentence, counting
from experiments.study.media import MediaFaults, read_uploaded_files
from experiments.study_files import StudyFileFaults
from experiments.uploads.reading import read_in_child

pytestmark = pytest.mark.slow


def test_a_sentence_survives_pickling() -> None:
    inner = counting("{n} {row} is empty.", "{n} {row}s are empty.", 2, row="row")
    said = Sentence("{place}: {said} {names}", place="{a}", said=inner, names=listed(["a", "b"], shown=1))
    again = pickle.loads(pickle.dumps(said))
    assert (type(again), again, again.texts, again.values) == (Sentence, said, said.texts, said.values)
    assert [type(value) for value in again.values.values()] == [str, Sentence, Sentence]
    assert again.values["said"].texts == inner.texts


def sentences(faults: list[Fault]) -> list[str]:
    for fault in faults:
        assert isinstance(fault.message, Sentence)
        assert isinstance(fault.suggestion, Sentence) or not fault.suggestion
        with override("en"):
            assert in_language(str(fault)) == str(fault)
    return [fault.message.texts[0] for fault in faults if isinstance(fault.message, Sentence)]


def test_faults_of_materials_arrive_as_sentences() -> None:
    with pytest.raises(MaterialsFaults) as found:
        read_in_child("experiments.materials.reading:read_materials", b"item,text,item\na,b\n", "m.csv")
    assert sentences(found.value.faults) == ["Two columns have this name."]


def test_faults_of_study_files_arrive_as_sentences() -> None:
    study = b'slug = "a"\ntitle = "A"\nparadigm = "rating"\nlanguge = "en"\n[materials]\nfile = "m.csv"\n'
    with pytest.raises(StudyFileFaults) as found:
        read_in_child("experiments.study_files.uploaded:described", study, b"item,text\na,b\nc,\n")
    assert sentences(found.value.faults) == ["There is no key '{key}'.", "{place}: {said}"]
    assert found.value.faults[1].message.startswith("m.csv: line 3, column 'text': ")


def test_faults_of_pictures_arrive_as_sentences() -> None:
    with pytest.raises(MediaFaults) as found:
        read_uploaded_files([("a.png", b"\x89PNG\r\n\x1a\n"), ("b.svg", b"<svg/>"), ("c.txt", b"c")])
    assert sentences(found.value.faults) == ["'{name}' {said}"] * 3
