"""Makes, keeps and checks what the eye must know of one table: camera, tray, felt, dice.

It passes, or fails with a sentence a café owner can act on. It never reads a throw.
"""
