"""What is sealed or bound in the database, and the keys."""
