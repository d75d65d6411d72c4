"""The devices: cameras that give frames, buttons that give presses and glow.

`ports` says what the rest of the house may expect of them, `sources` opens the one that the configuration names, and
the fakes ship with the product. This room knows no game, no screen and no eye; nothing here is opened before somebody
asks.
"""
