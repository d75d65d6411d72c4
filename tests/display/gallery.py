"""Every moment as a picture: `python -m tests.display.gallery OUT [--only NAME …] [--size WxH …] [--language nl …]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from terminal.display.texts import LANGUAGES
from terminal.display.window import Window
from tests.display.moments import moments

SIZES = ((800, 480), (1280, 720), (1280, 800), (720, 1280))


def _size(argument: str) -> tuple[int, int]:
    width, height = argument.split("x")
    return int(width), int(height)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--size", nargs="*", type=_size, default=SIZES)
    parser.add_argument("--language", nargs="*", default=LANGUAGES)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    made = 0
    for wh in asked.size:
        window = Window(wh, headless=True)
        for language in asked.language:
            for name, moment in moments(language).items():
                if asked.only is None or name in asked.only:
                    window.show(moment())
                    window.save(asked.out / f"{name}-{wh[0]}x{wh[1]}-{language}.png")
                    made += 1
        window.close()
    print(f"{made} pictures in {asked.out}")


if __name__ == "__main__":
    main()
