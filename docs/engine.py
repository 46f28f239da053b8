#!/usr/bin/env python3
"""A complete UGI engine for Breakthrough, as a starting point for your own."""

import sys
import time

DEEPEST = 4  # plies: each takes about six times as long as the one before
COLUMNS = "abcdefghij"


class OutOfTime(Exception):
    pass


class Position:
    """The pawns of white and of black, each a set of (column, row) from the bottom left."""

    def __init__(self, size, pawns, turn):
        self.size, self.pawns, self.turn = size, pawns, turn

    def moves(self):
        own, other = self.pawns[self.turn], self.pawns[1 - self.turn]
        ahead = 1 if self.turn == 0 else -1
        for column, row in sorted(own):
            step = (column, row + ahead)
            if step not in own and step not in other:
                yield (column, row), step
            for side in (column - 1, column + 1):
                if (side, row + ahead) in other:
                    yield (column, row), (side, row + ahead)

    def after(self, move):
        start, end = move
        pawns = [set(self.pawns[0]), set(self.pawns[1])]
        pawns[self.turn].remove(start)
        pawns[self.turn].add(end)
        pawns[1 - self.turn].discard(end)
        return Position(self.size, pawns, 1 - self.turn)

    def is_lost(self):
        """Whether the player who has just moved stands on the far row."""
        far = self.size[1] - 1 if self.turn == 1 else 0
        return any(row == far for _, row in self.pawns[1 - self.turn])

    def value(self):
        """Pawns and how far they have come, for the player to move."""
        white = sum(10 + row for _, row in self.pawns[0])
        black = sum(10 + self.size[1] - 1 - row for _, row in self.pawns[1])
        return white - black if self.turn == 0 else black - white


def start_position(size):
    width, height = size
    rows = [[(column, row) for column in range(width)] for row in range(height)]
    return Position(size, [set(rows[0] + rows[1]), set(rows[-1] + rows[-2])], 0)


def read_position(text):
    """Rows from the top, such as pp3/1ppp1/5/1PPPP/PPPP1 w: numbers are empty squares."""
    rows, turn = text.split()[:2]
    rows = rows.split("/")
    pawns, width = [set(), set()], 0
    for row, line in zip(range(len(rows) - 1, -1, -1), rows):
        column, number = 0, ""
        for letter in line + " ":
            if letter.isdigit():
                number += letter
                continue
            column, number = column + int(number or 0), ""
            if letter in "Pp":
                pawns["Pp".index(letter)].add((column, row))
                column += 1
        width = max(width, column)
    return Position((width, len(rows)), pawns, "wb".index(turn))


def move_text(move):
    return "".join(f"{COLUMNS[column]}{row + 1}" for column, row in move)


class Search:
    def __init__(self, seconds):
        self.began, self.nodes = time.monotonic(), 0
        self.deadline = self.began + seconds

    def value(self, position, depth, alpha, beta):
        """The value for the player to move, as far as it lies between alpha and beta."""
        self.nodes += 1
        if time.monotonic() > self.deadline:
            raise OutOfTime
        if position.is_lost():
            return -1000 - depth
        if depth == 0:
            return position.value()
        best = None
        for move in position.moves():
            value = -self.value(position.after(move), depth - 1, -beta, -alpha)
            best = value if best is None else max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return 0 if best is None else best  # a player without a move draws

    def best_move(self, position):
        moves = list(position.moves())
        for depth in range(1, DEEPEST + 1):
            scored = []
            try:
                for move in moves:
                    value = -self.value(position.after(move), depth - 1, -9999, 9999)
                    scored.append((value, move))
            except OutOfTime:
                break
            # The next iteration begins with the best move of this one.
            scored.sort(key=lambda pair: -pair[0])
            moves = [move for _, move in scored]
            millis = int(1000 * (time.monotonic() - self.began))
            line = f"score cp {scored[0][0]} nodes {self.nodes} time {millis}"
            say(f"info depth {depth} {line} pv {move_text(moves[0])}")
        return moves[0]


def seconds_for(words, turn):
    """The time for a move: after go there are pairs of a name and a number."""
    limits = {name: int(value) for name, value in zip(words[::2], words[1::2])}
    millis = limits.get("movetime", 1000)
    clock = limits.get(f"p{turn + 1}time")
    if clock is not None:
        millis = min(clock / 20 + limits.get(f"p{turn + 1}inc", 0) / 2, clock / 2)
    return 0.6 * millis / 1000  # a margin for the latency


def read_game(words, size):
    """The position after: startpos or fen TEXT, and perhaps moves MOVE…"""
    at = words.index("moves") if "moves" in words else len(words)
    fen = words[0] == "fen"
    position = read_position(" ".join(words[1:at])) if fen else start_position(size)
    for text in words[at + 1 :]:
        legal = [move for move in position.moves() if move_text(move) == text]
        position = position.after(legal[0])
    return position


def say(line):
    print(line, flush=True)


def main():
    size = (8, 8)
    position = start_position(size)
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            say("id name Small\noption name Variant type string default breakthrough:8x8\nugiok")
        elif words[:4] == ["setoption", "name", "Variant", "value"]:
            width, _, height = words[4].partition(":")[2].partition("x")
            size = (int(width), int(height))
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            position = read_game(words[1:], size)
        elif words[:1] == ["go"]:
            search = Search(seconds_for(words[1:], position.turn))
            say(f"bestmove {move_text(search.best_move(position))}")
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
