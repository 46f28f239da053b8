"""Runs the whole tutorial."""

import subprocess
import sys
from pathlib import Path

TUTORIAL = Path(__file__).resolve().parents[1] / "examples/tutorial.py"


def test_the_tutorial_runs_from_start_to_end(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(TUTORIAL)],
        cwd=tmp_path,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for words in ("best: ", "python:", "AttributeError", "random against random: ("):
        assert words in done.stdout


def test_its_cells_can_be_told_apart() -> None:
    cells = TUTORIAL.read_text().split("# %%")[1:]
    assert len(cells) > 20
    for cell in cells:
        if cell.startswith(" [markdown]"):
            lines = cell.splitlines()[1:]
            assert all(line.startswith("#") or not line for line in lines), cell
        else:
            compile(cell.partition("\n")[2], "cell", "exec")
