"""Lists on paper: as CSV for a spreadsheet, as PDF for the printer."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import fpdf
from fpdf.enums import XPos, YPos

FONTS = Path("/usr/share/fonts/truetype/dejavu")  # Debian's fonts-dejavu-core, which ./run installs


class Sheet(NamedTuple):
    """One table with a heading. widths: parts of the page's width; right: columns that hold numbers."""

    heading: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    widths: tuple[int, ...]
    right: frozenset[int] = frozenset()
    below: tuple[str, ...] = ()
    row_mm: float = 7.0
    new_page: bool = False


def as_csv(sheets: Sequence[Sheet]) -> bytes:
    """UTF-8 with its mark and semicolons, as spreadsheets here expect; several sheets under each other."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    for at, sheet in enumerate(sheets):
        if len(sheets) > 1:
            if at:
                writer.writerow([])
            writer.writerow([_harmless(sheet.heading)])
        writer.writerow(sheet.head)
        writer.writerows([[_harmless(cell) for cell in row] for row in sheet.rows])
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: object) -> object:
    """A spreadsheet takes a text that begins so for a formula; a player may have called himself anything."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def as_pdf(title: str, sheets: Sequence[Sheet]) -> bytes:
    """A4, upright; a table that does not fit goes on under its head on the next page."""
    pdf = fpdf.FPDF(format="A4")
    pdf.set_title(title)
    pdf.set_creator("Pitjesbak")
    pdf.set_auto_page_break(True, margin=15)
    if not (FONTS / "DejaVuSans-Bold.ttf").exists():
        raise NoFont(f"{FONTS}: apt-get install fonts-dejavu-core")
    for style, file in (("", "DejaVuSans.ttf"), ("B", "DejaVuSans-Bold.ttf")):
        pdf.add_font("DejaVu", style, str(FONTS / file))
    pdf.add_page()
    _line(pdf, title, 18)
    for at, sheet in enumerate(sheets):
        if at and sheet.new_page:
            pdf.add_page()
        _table(pdf, sheet)
    return bytes(pdf.output())


class NoFont(OSError):
    """The fonts for a PDF are not installed."""


def _line(pdf: fpdf.FPDF, text: str, size: int, bold: bool = True) -> None:
    pdf.set_font("DejaVu", "B" if bold else "", size)
    pdf.multi_cell(0, size * 0.5, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(2)


def _table(pdf: fpdf.FPDF, sheet: Sheet) -> None:
    rows = min(len(sheet.rows), 8)  # a short list is not torn apart, a long one begins with a few rows
    if pdf.get_y() + 15 + (rows + 1) * sheet.row_mm > pdf.h - 15:
        pdf.add_page()
    pdf.ln(3)
    _line(pdf, sheet.heading, 13)
    pdf.set_font("DejaVu", "", 10)
    align = tuple("RIGHT" if column in sheet.right else "LEFT" for column in range(len(sheet.head)))
    with pdf.table(
        col_widths=sheet.widths, text_align=align, line_height=sheet.row_mm, borders_layout="HORIZONTAL_LINES"
    ) as table:
        for row in (sheet.head, *sheet.rows):
            table.row([str(cell) for cell in row])
    for text in sheet.below:
        _line(pdf, text, 10, bold=False)
