"""Reading outcomes: two values, successes, ordered categories (`answers`); counts and times (`numbers`)."""
