"""The rules: what an event does to a game, and what is asked next.

A game is its list of events; the state is a pure fold over them. Dice are handed in, never rolled here. This room
opens no file but its own packaged reglementen, reads no clock, and never changes a value that it was given.
Numbers K and N in comments are those of the decided rules; see README.md beside this file.
"""
