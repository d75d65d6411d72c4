"""A screen without a screen: SDL's dummy drivers, and text that remembers where it was written."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
