"""Forms of an export that other projects and programs expect: BIDS, Croissant, PsychLing-101, SPSS and jamovi."""
