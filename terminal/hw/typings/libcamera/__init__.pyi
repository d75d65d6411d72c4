# The part of libcamera's Python binding that pi_camera.py uses.
from . import controls as controls
