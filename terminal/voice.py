"""The words that the table calls out, spoken once at set-up by espeak-ng's Dutch voice into a folder of files.

A file that is there already stays: a café may put its own voice in its place.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

PROGRAM = "espeak-ng"
VOICE = ("-v", "nl", "-s", "150", "-p", "35", "-a", "180")  # slower and lower than usual: a café is loud


class NoVoice(OSError):
    """The words could not be spoken; the message says what to install or to look at."""


def speak(words: Mapping[str, str], folder: Path) -> list[Path]:
    """Make `folder/NAME.wav` for each name and its words, unless that sound is there; gives the files made.

    Raises NoVoice.
    """
    if shutil.which(PROGRAM) is None:
        raise NoVoice(f"{PROGRAM} is not installed (Debian package {PROGRAM})")
    made = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in words.items():
            if any((folder / f"{name}{ending}").exists() for ending in (".wav", ".ogg")):
                continue
            path = folder / f"{name}.wav"
            unfinished = path.with_suffix(".new")
            subprocess.run([PROGRAM, *VOICE, "-w", str(unfinished), text], check=True, capture_output=True)
            unfinished.replace(path)
            made.append(path)
    except OSError as error:
        raise NoVoice(f"{folder}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise NoVoice(f"{PROGRAM}: {error.stderr.decode(errors='replace').strip()}") from error
    return made
