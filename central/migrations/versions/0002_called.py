"""A name may be corrected at any time: a seat remembers what its table was told."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seat", sa.Column("called", sa.Text(), nullable=True))
