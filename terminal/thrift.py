"""How much of the machine a process of ours takes: memory on machines with the GNU C library, and threads."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # names of <malloc.h>
DONTNEED = 4  # a name of <sys/mman.h>
LARGE = 256 * 1024  # bytes; a grey picture of the eye has some 110 KB, a full one 3.7 MB


def be_thrifty() -> None:
    """Give large pieces of memory back as soon as they are free, and calculate in the threads that are there.

    Left alone the C library learns from the first full picture that such pieces come and go, keeps them in its heap
    from then on, and each thread has a heap of its own: a table grew to 173 MB, of which it used 110. And OpenCV
    keeps a thread ready on every core, which waits by turning round. Call it before numpy and cv2 are imported; what
    is set in the environment holds.
    """
    for name in ("OPENCV_FOR_THREADS_NUM", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return  # another C library
    for option, value in ((ARENA_MAX, 1), (MMAP_THRESHOLD, LARGE), (TRIM_THRESHOLD, LARGE)):
        mallopt(option, value)


def forget_loading() -> None:
    """Let go of the code that libraries ran only while they were loaded: 20 MB of OpenCV, Qt, ffmpeg and their like.

    Code is never written to: what is called again is mapped again from the file, and nothing else is missed. Call it
    when everything is loaded.
    """
    try:
        madvise = ctypes.CDLL(None).madvise
        mapped = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, AttributeError):
        return  # another system
    for line in mapped:
        addresses, rights, _, _, inode = line.split()[:5]
        if rights == "r-xp" and inode != "0":
            start, end = (int(address, 16) for address in addresses.split("-"))
            madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), DONTNEED)
