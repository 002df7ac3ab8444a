"""Pages of coding.

overview      queues, agreement, what is left
coders        who codes, and how much
workspace     one recall per screen for its coder, and the endpoints behind it
adjudication  the same for settling disagreements
answers       what the endpoints of both give and take
sheets        codings of one coder to and from a spreadsheet
scheme        the codes of the study
freezing      an end to coding, and its undoing
"""
