"""Central: receives the journals of the tables, folds them itself, and shows standings and tables to everybody.

It never tells a table what was thrown and never changes a journal; a table plays on without it.
"""
