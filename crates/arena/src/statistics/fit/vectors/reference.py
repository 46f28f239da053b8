"""An independent computation of the joint fit, in plain Python without libraries.

It makes the games (a fixed seed), fits them with numerical derivatives in coordinates of its own
(the last of every block is minus the sum of the others), and writes the files that the tests
read. Run it in this folder: python3 reference.py
"""

import math
import random

ELO = 400 / math.log(10)
Z95 = 1.959963985


def make_games(seed, players, strengths, seats, draw_margin):
    """Games of random luck; who is less than the margin apart shares the place."""
    rng = random.Random(seed)
    games, group = [], 0
    for _ in range(24):
        agents = rng.sample(range(len(strengths)), players)
        opening = [rng.gauss(0, 80) for _ in range(players)]
        for turn in range(players):
            seating = agents[turn:] + agents[:turn]
            luck = [
                strengths[agent] + seats[seat] + opening[seat] + rng.gauss(0, 250)
                for seat, agent in enumerate(seating)
            ]
            points = [100 * sum(mine > other + draw_margin for other in luck) // (players - 1) for mine in luck]
            games.append((group, seating, points))
        group += 1
    return games


def write_games(path, games):
    with open(path, "w") as file:
        file.write("group,seating,points\n")
        for group, seating, points in games:
            file.write(f"{group},{' '.join(map(str, seating))},{' '.join(map(str, points))}\n")


def read_games(path):
    with open(path) as file:
        rows = [line.strip().split(",") for line in file.readlines()[1:]]
    return [(int(g), list(map(int, s.split())), list(map(int, p.split()))) for g, s, p in rows]


class Model:
    def __init__(self, games, davidson):
        self.davidson = davidson
        self.agents = 1 + max(max(seating) for _, seating, _ in games)
        self.seats = len(games[0][1])
        self.groups = {}
        for group, seating, points in games:
            self.groups.setdefault(group, []).append((seating, points))
        self.free = self.agents - 1 + self.seats - 1 + (1 if davidson else 0)

    def unpack(self, x):
        strengths = list(x[: self.agents - 1])
        strengths.append(-sum(strengths))
        seats = list(x[self.agents - 1 : self.agents + self.seats - 2])
        seats.append(-sum(seats))
        return strengths, seats, (x[-1] if self.davidson else None)

    def log_chance(self, d, result, eta):
        """Of a win (1), a draw (0) or a loss (-1)."""
        if eta is None:
            win, loss = -math.log1p(math.exp(-d)), -math.log1p(math.exp(d))
            return {1: win, 0: (win + loss) / 2, -1: loss}[result]
        win, draw, loss = math.exp(d / 2), math.exp(eta), math.exp(-d / 2)
        return math.log({1: win, 0: draw, -1: loss}[result] / (win + draw + loss))

    def group_log(self, x, group):
        strengths, seats, eta = self.unpack(x)
        total = 0.0
        for seating, points in self.groups[group]:
            for a in range(len(seating)):
                for b in range(a + 1, len(seating)):
                    d = strengths[seating[a]] + seats[a] - strengths[seating[b]] - seats[b]
                    result = (points[a] > points[b]) - (points[a] < points[b])
                    total += self.log_chance(d, result, eta)
        return total

    def virtual_logs(self, x):
        """Every virtual game as the logarithms of its two halves' chances."""
        strengths, seats, eta = self.unpack(x)
        logits = strengths + seats + ([] if eta is None else [eta - math.log(2)])
        return [(-math.log1p(math.exp(-z)), -math.log1p(math.exp(z))) for z in logits]

    def total_log(self, x):
        virtual = sum((up + down) / 2 for up, down in self.virtual_logs(x))
        return virtual + sum(self.group_log(x, group) for group in self.groups)


def slope(function, x, step=1e-5):
    result = []
    for i in range(len(x)):
        up, down = list(x), list(x)
        up[i] += step
        down[i] -= step
        result.append((function(up) - function(down)) / (2 * step))
    return result


def solve(matrix, right):
    """Gauss with pivots; `right` is a list of columns."""
    n = len(matrix)
    rows = [list(matrix[i]) + [column[i] for column in right] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [value - factor * top for value, top in zip(rows[r], rows[i])]
    return [[rows[i][n + k] / rows[i][i] for i in range(n)] for k in range(len(right))]


def fit(model):
    x = [0.0] * model.free
    for _ in range(25):
        gradient = slope(model.total_log, x)
        curvature = [
            slope(lambda y: slope(model.total_log, y, 1e-4)[i], x, 1e-4) for i in range(model.free)
        ]
        (step,) = solve(curvature, [gradient])
        x = [value - by for value, by in zip(x, step)]
        if max(map(abs, step)) < 1e-8:
            break
    # The sandwich.
    meat = [[0.0] * model.free for _ in x]

    def add(gradient, weight):
        for i in range(model.free):
            for j in range(model.free):
                meat[i][j] += weight * gradient[i] * gradient[j]

    for group in model.groups:
        add(slope(lambda y: model.group_log(y, group), x), 1.0)
    for number in range(len(model.virtual_logs(x))):
        for half in range(2):
            add(slope(lambda y: model.virtual_logs(y)[number][half], x), 0.5)
    once = solve(curvature, [list(row) for row in meat])
    twice = solve(curvature, [[once[i][j] for i in range(model.free)] for j in range(model.free)])
    count = len(model.groups) + len(model.virtual_logs(x))
    widening = min(2.0, count / (count - model.free)) if count > model.free else 2.0
    return x, [[widening * value for value in row] for row in twice]


def estimates(model, x, covariance):
    """Values with half widths of their intervals, by name."""

    def contrast(function):
        weights = slope(function, x)
        n = range(model.free)
        variance = sum(weights[i] * weights[j] * covariance[i][j] for i in n for j in n)
        return function(x), Z95 * math.sqrt(variance)

    rows = []
    for agent in range(model.agents):
        value, error = contrast(lambda y: model.unpack(y)[0][agent])
        rows.append((f"agent {agent}", value * ELO, error * ELO))
    value, error = contrast(lambda y: model.unpack(y)[0][0] - model.unpack(y)[0][1])
    rows.append(("agent 0 over 1", value * ELO, error * ELO))
    for seat in range(1, model.seats):
        value, error = contrast(lambda y: model.unpack(y)[1][0] - model.unpack(y)[1][seat])
        rows.append((f"seat 0 over {seat}", value * ELO, error * ELO))
    if model.davidson:
        rows.append(("log nu", x[-1], contrast(lambda y: y[-1])[1]))
    return rows


def main():
    write_games("games_of_two.csv", make_games(1, 2, [-180, -60, 0, 70, 170], [40, 0], 60))
    write_games("games_of_three.csv", make_games(2, 3, [-150, -20, 50, 120], [60, 0, -30], 40))
    with open("expected.csv", "w") as file:
        file.write("games,draws,name,value,half_width\n")
        for name in ["games_of_two", "games_of_three"]:
            for draws in ["half wins", "Davidson"]:
                model = Model(read_games(name + ".csv"), draws == "Davidson")
                for row, value, width in estimates(model, *fit(model)):
                    file.write(f"{name},{draws},{row},{value:.4f},{width:.4f}\n")


main()
