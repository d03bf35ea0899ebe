"""Playing with people: a table, what its seats are told and may do, served or in a terminal."""
