"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for mark, variable in (("slow", "LUDEX_SLOW"), ("bench", "LUDEX_BENCH")):
        if not os.environ.get(variable):
            skip = pytest.mark.skip(reason=f"runs where {variable} is set")
            for item in items:
                if mark in item.keywords:
                    item.add_marker(skip)


@pytest.fixture
def root() -> Path:
    """The root of the repository."""
    return ROOT
