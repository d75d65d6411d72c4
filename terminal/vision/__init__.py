"""The eye: one picture in, what the dice show out, with its doubts; and, over time, when a throw is one.

It never guesses in silence: what two independent looks do not agree on, and what on the felt is not explained by dice
that lie flat, is `unsure` with a reason. It never opens a device, knows no game and no player, and keeps no picture.
"""
