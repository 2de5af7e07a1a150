"""Rule sets judged and features learned as the command line does it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludex

ENDLESS = """
(game "Endless" (players 2) (equipment { (board (square 3)) (piece "Disc" Each (step (to if:(is Empty (to))))) })
    (rules (start { (place "Disc1" 0) (place "Disc2" 8) }) (play (forEach Piece)) (end (if (no Pieces P1) (result P2 Win)))))
"""


def test_a_game_is_judged(tmp_path: Path) -> None:
    judged = ludex.evaluate("tic-tac-toe", tier=0, random_games=512, seed=3, threads=1)
    first = judged.metrics["first_seat"]
    assert judged.tier == 0 and judged.games == 512 and first["low"] < first["value"] < first["high"]
    assert first["agent"] == "random" and first["seed"] == 3 and "seat" in judged.table()
    page = tmp_path / "page.html"
    judged.to_html(page)
    assert page.read_text().lstrip().lower().startswith("<!doctype html")
    again = ludex.evaluate("tic-tac-toe", tier=0, random_games=512, seed=3, threads=2)
    assert again.metrics == judged.metrics


def test_rules_from_text_are_judged() -> None:
    judged = ludex.evaluate(ludex.load_game(ENDLESS), tier=1, random_games=8)
    assert judged.tier == 0 and judged.warnings[0].startswith("never ends")


def test_what_was_loaded_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a file that is called as texts are, and not what became of a file since."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").write_text(ENDLESS)
    text = ENDLESS.replace("(step (to if:(is Empty (to))))", "").replace("(forEach Piece)", "(move Add (to (sites Empty)))")
    text = text.replace("(if (no Pieces P1) (result P2 Win))", "(if (is Line 3) (result Mover Win))")
    judged = ludex.evaluate(ludex.load_game(text), tier=0, random_games=64)
    assert judged.name == "Endless" and not any("never ends" in warning for warning in judged.warnings)
    file = tmp_path / "endless.lud"
    file.write_text(text)
    game = ludex.load_game(file)
    file.write_text(ENDLESS)
    judged = ludex.evaluate(game, tier=0, random_games=64)
    assert not any("never ends" in warning for warning in judged.warnings)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        judged.to_html(tmp_path / "nowhere" / "page.html")


def test_a_search_judges(tmp_path: Path) -> None:
    store = tmp_path / "kept.sqlite"
    how = {"tier": 1, "random_games": 100, "matches": 6, "simulations": 30, "store": store}
    judged = ludex.evaluate("tic-tac-toe", **how)
    assert judged.tier == 1 and "uncertainty" in judged.metrics and store.exists()
    assert ludex.evaluate("tic-tac-toe", **how).metrics == judged.metrics


def test_wrong_wishes_are_told() -> None:
    with pytest.raises(ValueError, match="tiers"):
        ludex.evaluate("tic-tac-toe", tier=7)
    with pytest.raises(ludex.GameError, match="uct"):
        ludex.evaluate("tic-tac-toe", agent="utc")
    with pytest.raises(ValueError, match="seconds"):
        ludex.evaluate("tic-tac-toe", seconds=-1)


def test_features_are_learned(tmp_path: Path) -> None:
    file = tmp_path / "learned.toml"
    told = ludex.features.learn("tic-tac-toe", file, games=4, simulations=20, rounds=1, threads=1)
    assert told[0].startswith("round 1: 4 games") and file.exists()
    agent = ludex.Agent(f"uct + features({file})", simulations=20)
    assert agent.choose(ludex.load_game("tic-tac-toe").new_initial_state()) >= 0
    with pytest.raises(ludex.GameError, match="board"):
        ludex.features.learn("7-wonders", tmp_path / "x.toml", games=1)
    with pytest.raises(FileNotFoundError, match="nowhere: there is no such folder"):
        ludex.features.learn("tic-tac-toe", tmp_path / "nowhere" / "x.toml", games=1)
