"""What people see and touch. The room gets a `View` and gives back `Intent`s; it knows no game, no journal, no camera.

A view is drawn from itself and nothing else: the same view gives the same picture (animations aside, which only lead
from the view before to this one). Nothing here decides anything.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting would stand in the output of our commands
