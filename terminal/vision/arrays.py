"""What the arrays of this room are called. OpenCV's stubs promise no dtype, so the docstrings say it, not the types."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Picture = NDArray[Any]
"""uint8, (H, W) grey, (H, W, 3) BGR or a mask."""
Floats = NDArray[Any]
"""float32 unless a docstring says float64."""
