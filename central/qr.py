"""Addresses as QR codes, drawn as SVG."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup


def svg(text: str, scale: int = 5) -> Markup:
    """The code for this text, black on white whatever the page's colours, to be put into a page."""
    out = io.BytesIO()
    segno.make(text, micro=False, error="m").save(
        out,
        kind="svg",
        scale=scale,
        border=2,
        dark="#000",
        light="#fff",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        title="QR-code",
    )
    return Markup(out.getvalue().decode("ascii"))
