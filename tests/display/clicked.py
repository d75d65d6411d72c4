"""A real window that says what was meant: run by `test_window` under Xvfb, ends on "quit" (key q)."""

from __future__ import annotations

import time

from terminal.display.view import Choice, Intent
from terminal.display.window import Window
from tests.display.moments import moments


def main() -> None:
    window = Window()
    view = moments("nl")["stand_or_throw"]()
    window.show(view._replace(menu=(*view.menu[:3], Choice("quit", Intent("quit"), key="q"))))
    where = window.where(Intent("klaar"))
    assert where is not None
    print(*where, flush=True)
    while True:
        for intent in window.poll():
            print(*intent, flush=True)
            if intent.name == "quit":
                window.close()
                return
        time.sleep(0.02)


if __name__ == "__main__":
    main()
