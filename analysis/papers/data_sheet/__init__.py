"""The human evaluation data sheet of a study (HEDS; Shimorina & Belz 2022), filled in as far as possible.

| module | holds |
|---|---|
| `questions` | the 45 questions in our own words, and what authors write where the platform does not know |
| `answers` | what an answer is: known, in part, or open |
| `facts` | what all sections read of a study |
| `texts` | sections 1, 2 and 3.1: resources, systems, the texts that were judged |
| `evaluators` | section 3.2: who judged |
| `conduct` | section 3.3: how it was done |
| `criteria` | section 4: every quality criterion, of rating and of comparison |
| `elicited` | section 4.3, the part that comes from reports |
| `ethics` | section 5 |
| `whole` | the sheet, its files |
"""
