"""Coding of participants' texts: blind, in random order per coder, with adjudication of disagreements.

    scheme        the codes of a study, and when they may change
    queues        who codes what, in which order, and what a coder sees
    saving        the codes of one recall, with their undo
    adjudicating  where coders differ, and what was decided
    freezing      an end to coding
    final         the codes that are analysed
    agreeing      how far coders, and the suggestions, agree
    sheets        codings as CSV, to and from a spreadsheet
    differences   which words stimulus and recall share; pure
    suggestions   codes that the words suggest, with the reason; pure

Every change of a coding goes through `saving`, `adjudicating` or `sheets`, and all of them ask
`experiments.rules.error_codes` whether codes can stand together.
"""
