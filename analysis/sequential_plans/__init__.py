"""Sequential plans of studies: which analysis decides, when a look is due, what follows from it, who looked outside."""
