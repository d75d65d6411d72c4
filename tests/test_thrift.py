"""What a table takes of its machine, looked at in a process of its own."""

from __future__ import annotations

import subprocess
import sys

GROWN = """
import sys
from terminal.thrift import be_thrifty
if sys.argv[1] == "thrifty":
    be_thrifty()
import threading

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 // 1_000_000

def look():
    kept = []
    for size in range(1, 40):
        picture = bytearray(size * 100_000)  # frames come and go …
        kept.append(bytearray(1000))  # … and something small stays behind each
        del picture

before = resident()
for _ in range(4):
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
print(resident() - before)
"""


def grown_mb(how: str) -> int:
    run = [sys.executable, "-c", GROWN, how]
    return int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def test_pictures_that_are_gone_are_given_back_to_the_machine() -> None:
    """An evening of 600 throws ended at 173 MB, of which a third was pictures that nobody had any more."""
    assert grown_mb("thrifty") <= 1


def test_what_is_set_outside_holds() -> None:
    script = (
        "import os; os.environ['OMP_NUM_THREADS'] = '3'; from terminal.thrift import be_thrifty; be_thrifty();"
        "print(os.environ['OMP_NUM_THREADS'], os.environ['OPENCV_FOR_THREADS_NUM'])"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert told.split() == ["3", "1"]


FORGETTING = """
import cv2, numpy, pygame
from terminal.thrift import forget_loading

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 // 1_000_000

picture = numpy.full((96, 128, 3), 40, numpy.uint8)
before, encoded = resident(), cv2.imencode(".jpg", picture)[1].tobytes()
forget_loading()
print(before - resident(), cv2.imencode(".jpg", picture)[1].tobytes() == encoded)
"""


def test_what_only_loading_needed_is_given_back_and_everything_still_works() -> None:
    run = [sys.executable, "-c", FORGETTING]
    told = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()[-1].split()
    assert int(told[0]) >= 10
    assert told[1] == "True"
