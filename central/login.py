"""The organiser's key: a password set at the first start, sessions, and a way back in for who has the machine.

There is no default password. Until one is set, central writes a code to its log at every start; who can read that log
may set the password. `forget_password` brings that code back, and so does nothing that comes over the network.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import secrets
import threading
import time

import argon2
import sqlalchemy as sa

from central.evenings import get_setting, put_setting
from central.schema import session, setting

SESSION_HOLDS_S = 16 * 3600.0  # an evening with its preparation
SHORTEST = 8
LONGEST = 200
_hasher = argon2.PasswordHasher()  # the library's defaults: argon2id, 64 MiB
_one_at_a_time = threading.Semaphore(2)  # so that a flood of attempts does not take the machine's memory


class WrongPassword(PermissionError):  # named for what happened
    """The password, or the code of the first start, is not the right one."""


class BadPassword(ValueError):  # named for what happened
    """A new password that cannot be one; the message says why."""


def has_password(connection: sa.Connection) -> bool:
    """Whether the organiser has set one."""
    return get_setting(connection, "password") is not None


def setup_code(connection: sa.Connection) -> str | None:
    """The code with which the password may be set; None once it is set. It is made when there is none yet."""
    if has_password(connection):
        return None
    code = get_setting(connection, "setup_code")
    if code is None:
        code = f"{secrets.randbelow(10**8):08d}"
        put_setting(connection, "setup_code", code)
    return code


def set_password(connection: sa.Connection, code: str, password: str) -> None:
    """The first password, by the code of the log; raises WrongPassword or BadPassword."""
    expected = setup_code(connection)
    if expected is None or not hmac.compare_digest(_digits(code).encode(), expected.encode()):
        raise WrongPassword("Die code is niet juist; ze staat in het logboek van centraal.")
    _keep(connection, password)
    connection.execute(setting.delete().where(setting.c.key == "setup_code"))


def change_password(connection: sa.Connection, new: str) -> None:
    """Another password, for who was checked just now; every session ends. Raises BadPassword."""
    _keep(connection, new)


def forget_password(connection: sa.Connection) -> str:
    """For who has the machine itself: no password, no sessions, and a new code to set one with."""
    connection.execute(setting.delete().where(setting.c.key.in_(("password", "setup_code"))))
    connection.execute(session.delete())
    code = setup_code(connection)
    assert code is not None
    return code


def check(kept: str | None, password: str) -> None:
    """Raise WrongPassword unless this is the password. Slow on purpose, so not inside a transaction that writes."""
    with _one_at_a_time:
        try:
            _hasher.verify(kept or _nobody(), password[: LONGEST + 1])
        except argon2.exceptions.VerificationError as error:
            raise WrongPassword("Dat wachtwoord is niet juist.") from error
    if kept is None:
        raise WrongPassword("Er is nog geen wachtwoord.")


def open_session(connection: sa.Connection) -> str:
    """A new session; gives the token for the cookie."""
    connection.execute(session.delete().where(session.c.seen < time.time() - SESSION_HOLDS_S))
    token = secrets.token_urlsafe(32)
    connection.execute(session.insert().values(token_hash=_hash(token), seen=time.time()))
    return token


def holds(connection: sa.Connection, token: str | None) -> bool:
    """Whether the cookie's token is of an open session."""
    if not token:
        return False
    seen = connection.scalar(sa.select(session.c.seen).where(session.c.token_hash == _hash(token)))
    return seen is not None and seen > time.time() - SESSION_HOLDS_S


def close_session(connection: sa.Connection, token: str) -> None:
    """Log out."""
    connection.execute(session.delete().where(session.c.token_hash == _hash(token)))


def form_token(token: str) -> str:
    """What every form of this session carries, so that another site cannot send one (CSRF)."""
    return hmac.new(token.encode("utf-8", "replace"), b"form", hashlib.sha256).hexdigest()


def _keep(connection: sa.Connection, password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadPassword(f"Een wachtwoord heeft {SHORTEST} tot {LONGEST} tekens.")
    if len(set(password)) < 4:
        raise BadPassword("Dat wachtwoord raadt iedereen: gebruik meer verschillende tekens.")
    put_setting(connection, "password", _hasher.hash(password))
    connection.execute(session.delete())


def _digits(code: str) -> str:
    return "".join(filter(str.isdigit, code))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@functools.cache
def _nobody() -> str:
    """Checked where there is no password yet, so that this takes as long as a wrong one."""
    return _hasher.hash(secrets.token_urlsafe(32))
