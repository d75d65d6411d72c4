"""A seating of three games in a real window, clicked through with a real mouse: run by `test_real_window` under Xvfb.

The dice come from the pictures in fixtures/images through the real eye; who clicks is xdotool. Prints the lines that
were written when it is over.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from terminal import config
from terminal.app import App, build
from terminal.demo import calibrated
from terminal.display.window import Window
from terminal.guest import Guest, pictures_of
from terminal.hw.file_camera import ThrowFolder
from terminal.table import Seated, Seating, seating_over


class Mouse:
    """The finger of a guest, as a mouse on the X server."""

    def __init__(self, window: Window) -> None:
        self.where = window.where
        self.clicks = 0

    def tap(self, xy: tuple[int, int]) -> None:
        self.clicks += 1
        subprocess.run(["xdotool", "mousemove", str(xy[0]), str(xy[1]), "click", "1"], check=True)


def main(folder: Path, pictures: Path) -> None:
    truth = json.loads((pictures / "truth.json").read_text(encoding="utf-8"))
    (folder / "table.toml").write_text(
        f'[table]\ndata = "{folder / "data"}"\n[camera]\ncalibration = "{calibrated(pictures, folder)}"\n',
        encoding="utf-8",
    )
    camera = ThrowFolder(pictures, fps=None, empty_for=4)
    app = build(config.load(folder / "table.toml"), camera=camera)
    assert isinstance(app.screen, Window)
    mouse = Mouse(app.screen)
    guest = Guest(camera, mouse, pictures_of(truth), "clicked")
    app.inbox.put(Seated(Seating("", 1, "seating", "1", "kazerne", 1, ("An", "Bo", "Cé"), (None,) * 3)))

    def after(app: App) -> None:
        if app.table.games and seating_over(app.table):
            app.stop()
        else:
            guest(app)

    app.after = after
    app.run()
    for game in app.table.games:
        for line in game.lines:
            print(json.dumps(line))
    print(json.dumps({"type": "clicks", "count": mouse.clicks}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
