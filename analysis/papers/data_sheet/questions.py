"""The 45 questions of the sheet: their numbers as published, their contents in our own words.

Shimorina, A., & Belz, A. (2022). The Human Evaluation Datasheet: A template for recording details of human evaluation
experiments in NLP. *Proceedings of the 2nd Workshop on Human Evaluation of NLP Systems*, 54–75.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

CITED = (
    "A. Shimorina and A. Belz (2022). The Human Evaluation Datasheet: A template for recording details of human "
    "evaluation experiments in NLP. Proceedings of the 2nd Workshop on Human Evaluation of NLP Systems, 54–75"
)


class Asked(NamedTuple):
    """A question, and what authors write where the platform does not know."""

    question: str
    to_write: str


SECTIONS: Mapping[str, str] = {
    "1": "1 Paper and resources",
    "2": "2 Systems",
    "3.1": "3.1 The sample of texts",
    "3.2": "3.2 Evaluators",
    "3.3": "3.3 Experimental design",
    "4.1": "4.1 What is judged",
    "4.2": "4.2 Mode of judgement",
    "4.3": "4.3 How judgements are elicited and used",
    "5": "5 Ethics",
}
OF_CRITERION = ("4.1", "4.2", "4.3")

QUESTIONS: Mapping[str, Asked] = {
    "1.1": Asked(
        "Which paper reports the experiment, and which of its experiments is it?",
        "a link to the paper and the name of the experiment in it, or “for preregistration”",
    ),
    "1.2": Asked(
        "Where are the resources of the experiment?",
        "the link under which the export of this study and the texts of the systems are deposited, or “N/A”",
    ),
    "1.3": Asked(
        "Who filled in this sheet, and who is to be written to?",
        "name, affiliation and address of whoever fills in the sheet, and of the contact author if somebody else",
    ),
    "2.1": Asked(
        "From what kind of input did the systems make their texts?",
        "the kinds of input: data, linguistic representation, a sentence, a document, a picture and so on; “no input” "
        "where people wrote the texts",
    ),
    "2.2": Asked(
        "What kind of output do the systems make?",
        "the kinds of output: phrase, sentence, several sentences, document, dialogue, speech, picture and so on",
    ),
    "2.3": Asked(
        "What task do the systems carry out between input and output?",
        "the task, such as data-to-text generation, simplification, summarisation or translation",
    ),
    "2.4": Asked("In which languages is the input?", "the languages by their names in ISO 639-1, or “N/A”"),
    "2.5": Asked("In which languages is the output?", "the languages by their names in ISO 639-1, or “N/A”"),
    "3.1.1": Asked("How many texts of each system are judged?", "the number of texts of each system"),
    "3.1.2": Asked(
        "How were the texts chosen?",
        "at random from a larger set, at random within strata, by hand without a criterion, or by hand for balance, "
        "and from what",
    ),
    "3.1.3": Asked(
        "What is the statistical power of a sample of this size?",
        "the power for the smallest effect that matters, and the script that computed it; the analysis “Power” does it "
        "on the platform",
    ),
    "3.2.1": Asked("How many evaluators are there?", "the number of people who judged"),
    "3.2.2": Asked(
        "What kind of evaluators are they?",
        "whether they are experts of the subject, whether they were paid (and how much), whether the authors knew "
        "them, and whether authors are among them",
    ),
    "3.2.3": Asked(
        "How were the evaluators recruited?",
        "where people were invited and by whom, and whom the invitation was meant for",
    ),
    "3.2.4": Asked("What training and practice came before the judgements?", "instructions, training and practice"),
    "3.2.5": Asked("What else is known about the evaluators?", "what is known of them, with numbers per subgroup"),
    "3.3.1": Asked(
        "Was the design preregistered, and where?", "the public registry and the link of the registration, or “No”"
    ),
    "3.3.2": Asked("By what means were the answers collected?", "the tool, form or service"),
    "3.3.3": Asked("How was the quality of the judgements assured?", "checks during and after the judgements"),
    "3.3.4": Asked("What do evaluators see while they judge?", "a description or a screenshot of the page"),
    "3.3.5": Asked("How free are evaluators in when and how fast they judge?", "limits of time, and sittings"),
    "3.3.6": Asked(
        "Are evaluators told that they can ask questions or comment?", "when and how people could ask and comment"
    ),
    "3.3.7": Asked(
        "In what surroundings do evaluators judge, and are they the same for everybody?",
        "laboratory, real situation or imitation of one, and whether it was the same for everybody",
    ),
    "3.3.8": Asked(
        "Where the place was not theirs to choose: what were the surroundings like?",
        "room, equipment, and how much they differed between people",
    ),
    "4.1.1": Asked(
        "Is correctness, goodness or a feature judged?",
        "“correctness” where it can be said when a text could not be better, “goodness” where only the better of two "
        "can be told, “feature” where more of it is not always better",
    ),
    "4.1.2": Asked("Is the form, the content, or both judged?", "“form”, “content” or “both”"),
    "4.1.3": Asked(
        "Is a text judged by itself, by its input, or by something outside?",
        "“in its own right”, “relative to the input”, or “relative to something outside”, and to what",
    ),
    "4.2.1": Asked("Is the judgement objective or subjective?", "“objective” or “subjective”"),
    "4.2.2": Asked("Are texts judged singly or against each other?", "“absolute” or “relative”"),
    "4.2.3": Asked("Is the evaluation intrinsic or extrinsic?", "“intrinsic” or “extrinsic”"),
    "4.3.1": Asked("By what name do evaluators know the criterion?", "the name that evaluators read, or “N/A”"),
    "4.3.2": Asked("What definition of the criterion do evaluators get?", "the definition word by word, or “N/A”"),
    "4.3.3": Asked("How many different values can an answer have?", "a whole number, “continuous”, or “N/A”"),
    "4.3.4": Asked("Which values are these?", "the list or the range of values, or “N/A”"),
    "4.3.5": Asked("In what form are the values offered?", "options, boxes, slider, or something else"),
    "4.3.6": Asked("Where there is no scale: what do evaluators do?", "the task and what is recorded of it, or “N/A”"),
    "4.3.7": Asked("What question stands before the evaluators at each judgement?", "the question word by word"),
    "4.3.8": Asked(
        "What form of elicitation is it?",
        "agreement with a statement, direct estimation, relative estimation, or another form",
    ),
    "4.3.9": Asked(
        "How do scores come from the single answers?",
        "how answers become the scores in the paper; run an analysis of this criterion on the page Analyse to have it "
        "here, or write that no scores are reported",
    ),
    "4.3.10": Asked(
        "How are the size and the significance of effects determined?",
        "the methods behind effect sizes and tests, or “none”; run an analysis of this criterion to have them here",
    ),
    "4.3.11": Asked(
        "How far do evaluators agree with each other and with themselves?",
        "coefficients and their values, or that none was computed; the analysis “Agreement” of this criterion, with "
        "participants as coders, puts them here",
    ),
    "5.1": Asked("Which research ethics committee approved the experiment?", "the name of the committee, or “No”"),
    "5.2": Asked(
        "Are there personal data in texts or answers, and what was done about them?",
        "which personal data there are, and how they are protected, or “No”",
    ),
    "5.3": Asked(
        "Are there data of special categories (Article 9 GDPR) in texts or answers?",
        "which there are, such as health, religion or ethnic origin, and how they are protected, or “No”",
    ),
    "5.4": Asked(
        "Was the impact of the experiment assessed?",
        "the assessments, such as of data protection, with their outcomes or a link, or “No”",
    ),
}


def section_of(number: str) -> str:
    """Return the section in which a question stands.

    >>> section_of("3.2.4"), section_of("5.1")
    ('3.2', '5')
    """
    return number.rpartition(".")[0]
