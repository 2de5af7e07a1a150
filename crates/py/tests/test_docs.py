"""What the documents show runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


@pytest.mark.parametrize("file", ["README.md", "docs/python.md"])
def test_examples_run(root: Path, file: str) -> None:
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (root / file).read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, file, "exec"), names)
