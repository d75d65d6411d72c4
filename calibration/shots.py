"""Pictures of the empty tray, as the camera of the table itself takes them: same size, same focus, light locked."""

from __future__ import annotations

from terminal.frame import Image
from terminal.hw.ports import Camera, CameraLost

SHOTS = 5
APART_S = 0.5  # a lamp that flickers, a shadow that passes: the pictures are compared with each other


def of_empty(camera: Camera) -> list[Image]:
    """Some pictures, (H, W, 3) uint8 BGR, half a second apart; all there are where a folder has fewer.

    Closes the camera. Raises CameraLost where there is not a single one.
    """
    taken: list[Image] = []
    due_s = float("-inf")
    try:
        for frame in camera.frames():
            if frame.t_s >= due_s:
                taken.append(frame.image())
                due_s = frame.t_s + APART_S
            if len(taken) == SHOTS:
                break
    finally:
        camera.close()
    if not taken:
        raise CameraLost("the camera gives no picture")
    return taken
