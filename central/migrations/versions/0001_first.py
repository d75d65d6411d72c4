"""The first schema: evenings, players, seats, results, what was refused, terminals, and a log that nobody edits."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("evening_id", sa.Integer(), nullable=True),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("table_name", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "live_line",
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("table_name", "seq", name=op.f("pk_live_line")),
    )
    op.create_table(
        "pairing",
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("asked", sa.Float(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_pairing")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("nickname", sa.Text(), nullable=True),
        sa.Column("only_number", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
    )
    op.create_table(
        "picture",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("asked", sa.Float(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.Column("jpeg", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_picture")),
    )
    op.create_table(
        "refused",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("received", sa.Text(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=True),
        sa.Column("game", sa.Text(), nullable=True),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("handled", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refused")),
        sa.UniqueConstraint("digest", name=op.f("uq_refused_digest")),
    )
    op.create_index("ix_refused_table_name", "refused", ["table_name"], unique=False)
    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("name", name=op.f("uq_season_name")),
    )
    op.create_table(
        "session",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_session")),
    )
    op.create_table(
        "setting",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_setting")),
    )
    op.create_table(
        "terminal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("paired", sa.Text(), nullable=False),
        sa.Column("revoked", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_terminal")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_terminal_token_hash")),
    )
    op.create_table(
        "evening",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("date", sa.Text(), nullable=False),
        sa.Column("cafe", sa.Text(), nullable=False),
        sa.Column("reglement", sa.JSON(), nullable=False),
        sa.Column("entry_cents", sa.Integer(), nullable=False),
        sa.Column("seatings", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("has_final", sa.Boolean(), nullable=False),
        sa.Column("pot", sa.Boolean(), nullable=False),
        sa.Column("pairing", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=True),
        sa.Column("season_place", sa.Integer(), nullable=True),
        sa.Column("season_final", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["season.id"], name=op.f("fk_evening_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evening")),
        sa.UniqueConstraint("key", name=op.f("uq_evening_key")),
    )
    op.create_table(
        "entrant",
        sa.Column("evening_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("paid", sa.Boolean(), nullable=False),
        sa.Column("present", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["evening_id"], ["evening.id"], name=op.f("fk_entrant_evening_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_entrant_person_id")),
        sa.PrimaryKeyConstraint("evening_id", "number", name=op.f("pk_entrant")),
        sa.UniqueConstraint("evening_id", "name", name=op.f("uq_entrant_evening_id")),
        sa.UniqueConstraint("evening_id", "person_id", name="uq_entrant_person"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("evening_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("numbers", sa.JSON(), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("journal", sa.Text(), nullable=True),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("losers", sa.JSON(), nullable=False),
        sa.Column("leavers", sa.JSON(), nullable=False),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("received", sa.Text(), nullable=False),
        sa.Column("changed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["evening_id"], ["evening.id"], name=op.f("fk_game_evening_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("evening_id", "kind", "seating", "table_name", "number", name=op.f("uq_game_evening_id")),
    )
    op.create_table(
        "seat",
        sa.Column("evening_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seating", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["evening_id", "number"], ["entrant.evening_id", "entrant.number"], name="fk_seat_entrant"
        ),
        sa.ForeignKeyConstraint(["evening_id"], ["evening.id"], name=op.f("fk_seat_evening_id")),
        sa.PrimaryKeyConstraint("evening_id", "kind", "seating", "table_name", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint("evening_id", "kind", "seating", "number", name=op.f("uq_seat_evening_id")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON audit "
                "BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
            "FOR EACH STATEMENT EXECUTE FUNCTION audit_append_only()"
        )
