"""The API for assistants, by the Model Context Protocol over standard input and output: read and draft, nothing else.

An assistant reads documents, studies and methods, checks studies, makes and changes drafts, and has them simulated
without storing anything. It never opens or closes a study, and reads or erases no data of participants, whatever its
token allows: what is allowed is declared in `allowed`.
"""
