"""What a study may say: questions, procedure, plan, codes; checked without the database."""
