"""What the documents show runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("file", ["README.md", "docs/python.md"])
def test_examples_run(root: Path, file: str) -> None:
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (root / file).read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, file, "exec"), names)


@pytest.mark.slow
def test_the_small_alphazero_runs(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    script = str(root / "examples" / "alphazero.py")
    command = [sys.executable, script, "--minutes", "0.05", "--matches", "4", "--out", str(tmp_path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "the network is" in shown.stdout and (tmp_path / "curve.svg").read_text().startswith("<svg")
