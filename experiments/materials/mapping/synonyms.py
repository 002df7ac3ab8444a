"""What the field calls its columns, in the languages in which its tables are written. Pure.

Names are compared without case, and with spaces, dots and hyphens as underscores, as `folded` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable

from experiments.materials.other_tools.tables import GROUP, ITEM, folded
from experiments.materials.shapes import KIND, LIST

# Of several that a table has, the first one counts.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "item": (
        *ITEM, "items", "item_nr", "itemnr", "itemno", "item_num", "item_code", "itemcode", "itemset", "set_id", "frame", "frame_id",
        "stimulus_id", "stimid", "sent_id", "sentence_number", "sentence_no", "sentid", "scenario", "vignette", "pair_id", "trial_id", "no", "no_", "num",
        "number", "itemnummer", "satz_nr", "satznr", "satznummer", "nummer", "lfd_nr",
        "numéro", "numero", "numéro_item", "id_phrase", "ítem", "número", "id_oración", "voce", "nummer_item", "zinnummer", "zin_nr",
        "项目", "项目号", "题号", "序号", "编号", "句子编号", "項目", "項目番号", "番号", "アイテム", "アイテム番号", "文番号",
        "문항", "문항번호", "번호", "номер", "položka", "číslo", "tétel", "sorszám",
    ),
    "text": (
        "text", "sentence", "sentences", "stimulus", "stimuli", "stim", "target_sentence", "full_sentence", "sentence_text", "phrase",
        "item_text", "stimulus_text", "passage", "story", "prompt",
        "satz", "sätze", "stimulustext", "zielsatz", "vollständiger_satz", "texte", "énoncé", "enoncé", "texto", "oración", "oracion", "frase", "enunciado",
        "testo", "tekst", "zin", "stimulus_zin", "doelzin", "句子", "文本", "刺激", "刺激句", "实验句", "例句", "目标句", "文", "刺激文", "例文", "テキスト", "문장", "자극",
        "자극문", "предложение", "текст", "стимул", "věta", "mondat", "mening", "πρόταση", "वाक्य",
    ),
    "condition": (
        "condition", "cond", "cond_", "conditions", "condition_name", "cond_name", "item_condition", "bedingung", "kondition", "condición", "condicion", "condição", "condizione",
        "conditie", "条件", "实验条件", "조건", "условие", "podmínka", "feltétel", "villkor", "betingelse", "συνθήκη",
    ),
    LIST: (
        *GROUP, "lists", "listid", "list_id", "list_number", "listnumber", "list_no", "counterbalance", "counterbalancing_list", "latin_list", "presentation_list", "version_list",
        "liste", "listen_nr", "versuchsliste", "gruppe", "groupe", "lista", "grupo", "lijst", "groep", "列表", "组别", "分组", "リスト", "グループ", "목록", "그룹", "список", "группа", "seznam", "skupina",
        "csoport",
    ),
    KIND: (
        "type", "item_type", "itemtype", "trial_type", "trialtype", "stimulus_type", "sentence_type", "exp_filler", "filler_type", "target_filler", "exp", "experiment",
        "typ", "itemtyp", "satztyp", "art", "type_item", "tipo", "tipo_item", "soort", "类型", "类别", "タイプ", "種類", "유형", "тип",
    ),
    "question": (
        "question", "questions", "comprehension_question", "comp_question", "q", "quest", "frage", "verständnisfrage", "vraag", "pregunta", "pergunta", "domanda",
        "问题", "理解问题", "質問", "問題", "질문", "вопрос", "otázka", "kérdés",
    ),
    "answer": (
        "answer", "correct_answer", "correct_response", "correctanswer", "corr_ans", "expected_answer", "antwort", "richtige_antwort", "korrekte_antwort",
        "réponse", "bonne_réponse", "respuesta", "respuesta_correcta", "resposta", "risposta", "antwoord", "答案", "正确答案", "正解", "答え", "정답", "ответ", "odpověď", "válasz",
    ),
}  # fmt: skip
# Words by which columns of regions begin, before their number.
REGIONS = (
    "region", "reg", "r", "roi", "chunk", "segment", "seg", "word", "w", "phrase", "wort", "abschnitt", "région", "mot", "región", "palabra",
    "regione", "parola", "regio", "woord", "区域", "词", "領域", "語", "영역", "단어",
)  # fmt: skip
# Words in a column that says which texts are fillers, beside those that say filler or practice.
TARGETS = frozenset(
    (
        "target", "targets", "critical", "crit", "experimental", "exp", "item", "test", "main", "kritisch", "experimentell", "ziel",
        "critique", "expérimental", "cible", "crítico", "experimental_item", "kritiek", "experimenteel", "实验", "目标", "関連", "ターゲット", "실험",
    )
)  # fmt: skip


def known_as(names: Iterable[str], role: str) -> str | None:
    """Return the name that is known for a role; None where none is.

    >>> known_as(["Nr.", "Satz"], "item"), known_as(["Genre"], "item")
    ('Nr.', None)
    """
    by_folded: dict[str, str] = {}
    for name in names:
        by_folded.setdefault(folded(name).rstrip("_"), name)
    return next((by_folded[one] for word in SYNONYMS[role] if (one := word.rstrip("_")) in by_folded), None)
