"""Faces as the value network sees them: cut out, set upright, in the channel that shows their pips."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from terminal.vision.arrays import Floats, Picture

GREY = -1  # for the number of a channel
TINTS = {3: 0, 4: 2}  # "channels" that are the share of blue, or of red, in the light
CROP_PX = 48
FACE_PX = 32  # side of the top face in a crop; the margin of 8 px shows what lies around it


def face_crops(image: Picture, corners: Floats | Sequence[Floats], channels: Sequence[int] = ()) -> Picture:
    """Top faces set upright for the second look: (N, 48, 48) uint8 grey, the face's side 32 px in the middle.

    image: (H, W, 3) uint8 BGR, or (H, W) uint8 grey; not changed.
    channels: (N,) which of a colour picture's channels shows each face, GREY for all three, or one of TINTS; none
    given: GREY.
    corners: (N, 4, 2), x then y, pixels of `image` with the centre of the first pixel at (0, 0), in order round the
    face (either way round is fine for the value, clockwise is ours). Grey is as it comes: no stretching here.
    """
    crops = np.zeros((len(corners), CROP_PX, CROP_PX), np.uint8)
    low, high = (CROP_PX - FACE_PX) / 2 - 0.5, (CROP_PX + FACE_PX) / 2 - 0.5
    upright = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    every = channels or [GREY] * len(corners)
    for crop, quad, channel in zip(crops, np.asarray(corners, np.float32), every, strict=True):
        reach = 0.35 * float(np.ptp(quad, axis=0).max()) + 3
        x0, y0 = np.floor(quad.min(0) - reach).astype(int)
        x1, y1 = np.ceil(quad.max(0) + reach).astype(int) + 1
        x0, y0 = max(x0, 0), max(y0, 0)
        part = image[y0 : max(y1, y0), x0 : max(x1, x0)]
        if part.size == 0:
            continue
        if part.ndim == 3:
            part = _seen_in(part, channel)
        # A face much larger than its crop is shrunk by area first: warpPerspective samples points and would alias.
        side = float(np.sqrt(cv2.contourArea(quad)))
        shrink = min(1.0, 1.5 * FACE_PX / max(side, 1.0))
        if shrink < 0.75:
            wh = (max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink)))
            scale = np.array([wh[0] / part.shape[1], wh[1] / part.shape[0]], np.float32)
            part = cv2.resize(part, wh, interpolation=cv2.INTER_AREA)
        else:
            scale = np.ones(2, np.float32)
        local = ((quad - np.array([x0, y0], np.float32) + 0.5) * scale - 0.5).astype(np.float32)
        warp = cv2.getPerspectiveTransform(local, upright)
        cv2.warpPerspective(part, warp, (CROP_PX, CROP_PX), crop, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
    return crops


def _seen_in(picture: Picture, channel: int) -> Picture:
    """A picture (h, w, 3) in one channel, (h, w) uint8."""
    if channel == GREY:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    if channel in TINTS:
        return np.asarray(np.clip(tint(picture, TINTS[channel]) / 2, 0, 255), np.uint8)
    return np.asarray(cv2.extractChannel(picture, channel), np.uint8)


def tint(picture: Picture, channel: int) -> Floats:
    """How strong one channel of a picture (h, w, 3) is against the mean of all, (h, w) float32, 255 for as strong."""
    seen = picture.astype(np.float32) + 4
    return np.asarray(765 * seen[..., channel] / seen.sum(2), np.float32)
