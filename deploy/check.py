#!/usr/bin/env python3
"""Starts real brokers with the files in nats/ and plays over them with a real coordinator and a real worker.

    python3 deploy/check.py [--agon PATH]      by default target/release/agon

One broker and three, each without and with passwords. Needs nats-server (NATS_SERVER=PATH for another one) and
Agon; without Agon only the brokers themselves and the refusals are checked.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
# Debian installs it where only root's PATH leads.
SERVER = os.environ.get("NATS_SERVER") or shutil.which("nats-server") or "/usr/sbin/nats-server"
PASSWORDS = {
    "AGON_COORDINATOR_PASSWORD": "pc0",
    "AGON_WORKER_PASSWORD": "pw0",
    "AGON_ROUTE_PASSWORD": "pr0",
}
STREAMS = ["AGON_UNITS", "AGON_RESULTS", "OBJ_AGON_FILES", "KV_AGON_LOCKS"]
TOURNAMENT = """name = "check"
format = "round-robin"
games = {games}
isolation = "none"
[[terms]]
variant = "breakthrough:6x6"
nodes = 300
[[agents]]
agent = "engine"
[[agents]]
agent = "{other}"
"""
# A program that travels, in many pieces: Agon itself.
PROGRAM = "ugi:./program ugi breakthrough:6x6 --agent mcts"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, condition, seconds=60):
    end, problem = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        try:
            if found := condition():
                return found
        except (OSError, ValueError, KeyError) as error:
            problem = error
        time.sleep(0.05)
    raise SystemExit(f"FAILED: {what} (after {seconds} s) {problem}")


def expect(what, condition, detail=""):
    if not condition:
        raise SystemExit(f"FAILED: {what} {detail}")
    print(f"ok  {what}")


class Broker:
    """A broker with its own ports and folder."""

    def __init__(self, folder, file, name="agon", routes=None, cluster_port=None):
        self.name, self.port, self.http = name, free_port(), free_port()
        self.log, self.folder = folder / f"{name}.log", folder / name
        self.folder.mkdir()
        self.arguments = [SERVER, "-c", str(HERE / "nats" / file)]
        self.environment, self.process = {**os.environ, **PASSWORDS}, None
        if routes:
            self.environment |= {
                "BROKER_NAME": name,
                "BROKER_LISTEN": f"127.0.0.1:{self.port}",
                "BROKER_HTTP": f"127.0.0.1:{self.http}",
                "BROKER_CLUSTER_LISTEN": f"127.0.0.1:{cluster_port}",
                "BROKER_ROUTES": routes,
                "BROKER_STORE": str(self.folder),
            }
        else:
            self.arguments += ["--addr", "127.0.0.1", "--port", str(self.port)]
            self.arguments += ["--http_port", str(self.http)]

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.arguments, env=self.environment, cwd=self.folder, stdout=log, stderr=log
            )

    def end(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait()

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.http}{path}", timeout=5) as answer:
            return json.load(answer)

    def healthy(self):
        if self.process.poll() is not None:
            raise SystemExit(f"FAILED: a broker has ended:\n{self.log.read_text()}")
        return self.get("/healthz")["status"] == "ok"

    def streams(self):
        """The streams that it has, by their names."""
        accounts = self.get("/jsz?streams=true&config=true&accounts=true")["account_details"]
        return {it["name"]: it for account in accounts for it in account.get("stream_detail") or []}

    def violations(self):
        """What clients were refused."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if "Violation" in line or "authorization" in line.lower()]


class Agon:
    """Coordinators and workers, with the passwords if there are any."""

    def __init__(self, path, folder, brokers, users):
        self.path, self.folder, self.users, self.worker = path, folder / "games", users, None
        self.folder.mkdir()
        self.url = ",".join(f"nats://127.0.0.1:{broker.port}" for broker in brokers)
        self.brokers, self.replicas = brokers, str(len(brokers))
        shutil.copy(path, self.folder / "program")

    def begin(self, user, command):
        environment = {**os.environ, "AGON_DATA": str(self.folder / user)}
        if self.users:
            password = PASSWORDS[f"AGON_{user.upper()}_PASSWORD"]
            environment |= {"AGON_NATS_USER": user, "AGON_NATS_PASSWORD": password}
        with open(self.folder / f"{user}.log", "ab") as log:
            return subprocess.Popen(
                [self.path, *command, "--nats", self.url],
                env=environment, cwd=self.folder, stdout=log, stderr=log,
            )

    def text(self, user):
        return (self.folder / f"{user}.log").read_text(errors="replace")

    def start_worker(self):
        options = ["--slots", "1", "--name", "w1", "--allow-programs", "--isolation", "none"]
        self.worker = self.begin("worker", ["worker", *options])
        wait_for("a worker that waits for games", lambda: "waiting for games" in self.text("worker"))

    def tournament(self, games, other):
        text = TOURNAMENT.format(games=games, other=other)
        (self.folder / f"{games}.toml").write_text(text.replace("check", f"check-{games}"))
        command = ["tournament", "run", f"{games}.toml", "--replicas", self.replicas]
        return self.begin("coordinator", command)

    def finish(self, what, coordinator):
        try:
            code = coordinator.wait(timeout=120)
        except subprocess.TimeoutExpired:
            coordinator.kill()
            coordinator.wait()
            code = "120 s were not enough"
        refused = [line for broker in self.brokers for line in broker.violations()]
        said = "\n".join([self.text("coordinator"), self.text("worker"), *refused])
        expect(what, code == 0, f"{code}\n{said}")

    def dismiss_worker(self):
        self.worker.terminate()
        expect("the worker leaves when it is asked to", self.worker.wait(timeout=30) == 0)

    def end(self):
        if self.worker and self.worker.poll() is None:
            self.worker.kill()
            self.worker.wait()


class Client:
    """As much of the NATS protocol as is needed to be refused."""

    def __init__(self, broker, user=None, password=None):
        self.socket = socket.create_connection(("127.0.0.1", broker.port), timeout=10)
        self.file = self.socket.makefile("rb")
        login = {"user": user, "pass": password} if user else {}
        self.errors = self.tell(f"CONNECT {json.dumps({'verbose': False, **login})}")

    def tell(self, line):
        """Says something, and returns the errors that this brings."""
        with contextlib.suppress(ConnectionError):
            self.socket.sendall(f"{line}\r\nPING\r\n".encode())
        errors = []
        while True:
            try:
                answer = self.file.readline().decode().strip()
            except ConnectionError:
                answer = ""
            if answer == "PING":
                self.socket.sendall(b"PONG\r\n")
            if answer.startswith("-ERR"):
                errors.append(answer)
            if answer in ("", "PONG"):
                return errors

    def may_publish(self, subject):
        # Without a payload, and answers go to nobody.
        return not any("Permissions Violation" in it for it in self.tell(f"PUB {subject} 0\r\n"))

    def may_subscribe(self, subject):
        return not any("Permissions Violation" in it for it in self.tell(f"SUB {subject} 1\r\nUNSUB 1"))


def check_rights(broker):
    """What nobody needs is refused. What is needed is shown by those who play."""
    for login in ((), ("worker", "pc0")):
        refused = "Authorization Violation" in str(Client(broker, *login).errors)
        expect(f"nobody gets in with {login or 'nothing'}", refused)
    worker = Client(broker, "worker", PASSWORDS["AGON_WORKER_PASSWORD"])
    coordinator = Client(broker, "coordinator", PASSWORDS["AGON_COORDINATOR_PASSWORD"])

    api, verbs = "$JS.API", ["CREATE", "UPDATE", "PURGE", "DELETE", "MSG.DELETE", "MSG.GET"]
    never = ["agon.units.c.r", "agon.runs.r", "agon.cancel.r", "agon.ping", "other", f"{api}.STREAM.LIST"]
    never += ["$KV.AGON_LOCKS.r", "$O.AGON_FILES.C.f", "$O.AGON_FILES.M.f", "_INBOX.x", "$SYS.REQ.SERVER.PING"]
    never += [f"{api}.STREAM.{verb}.{stream}" for verb in verbs for stream in STREAMS]
    never += [f"{api}.CONSUMER.{verb}.AGON_UNITS.c" for verb in ("CREATE", "DURABLE.CREATE", "DELETE")]
    never += [f"{api}.CONSUMER.CREATE.AGON_UNITS", f"{api}.CONSUMER.CREATE.AGON_UNITS.c.agon.units.c.*"]
    never += [f"{api}.CONSUMER.{verb}.AGON_RESULTS.r" for verb in ("CREATE", "DELETE", "INFO", "MSG.NEXT")]
    never += [f"{api}.CONSUMER.CREATE.AGON_RESULTS", f"{api}.DIRECT.GET.AGON_RESULTS", "$JS.ACK.AGON_RESULTS.1"]
    for subject in never:
        expect(f"a worker may not publish {subject}", not worker.may_publish(subject))
    for subject in [">", "agon.>", "agon.units.>", "agon.results.>", "agon.status.>", "$JS.>", "$KV.>", "$O.>"]:
        expect(f"a worker may not subscribe to {subject}", not worker.may_subscribe(subject))

    verbs = ["UPDATE", "DELETE", "SNAPSHOT", "RESTORE", "MSG.DELETE"]
    never = [f"{api}.STREAM.{verb}.{stream}" for verb in verbs for stream in STREAMS]
    never += [f"{api}.STREAM.CREATE.OTHER", f"{api}.STREAM.PURGE.KV_AGON_LOCKS", f"{api}.META.LEADER.STEPDOWN"]
    never += [f"{api}.CONSUMER.DELETE.AGON_UNITS.c", "$JS.ACK.AGON_UNITS.c.1", "agon.results.r", "agon.status.w"]
    for subject in never:
        expect(f"a coordinator may not publish {subject}", not coordinator.may_publish(subject))
    expect("a coordinator may not subscribe to agon.>", not coordinator.may_subscribe("agon.>"))

    # The last one: the connection is closed.
    answer = worker.tell(f"PUB agon.status.w {(1 << 20) + 1}")
    expect("more than 1 MB is refused", "Maximum Payload" in str(answer), answer)


def check_streams(brokers):
    """Every broker has what coordinators make, and has promised what it may hold."""
    for broker in brokers:
        found = broker.streams()
        expect(f"{broker.name} has {', '.join(STREAMS)}, nothing else", set(found) == set(STREAMS), found)
        copies = {stream["config"]["num_replicas"] for stream in found.values()}
        expect(f"each of them is on {len(brokers)}", copies == {len(brokers)}, copies)
        reserved = sum(max(stream["config"]["max_bytes"], 0) for stream in found.values())
        most = broker.get("/jsz")["config"]["max_storage"]
        expect(f"they reserve {reserved >> 20} MiB of its {most >> 20}", 0 < reserved <= most)


def play(agon):
    """Games of built-in agents and of a program that travels."""
    agon.start_worker()
    agon.finish("20 games of built-in agents", agon.tournament(20, "mcts"))
    agon.finish("4 games with a program that is sent", agon.tournament(4, PROGRAM))
    check_streams(agon.brokers)
    for broker in agon.brokers:
        refused = broker.violations()
        expect(f"nothing of that was refused by {broker.name}", not refused, "\n".join(refused))


def check_single(path, folder, file):
    print(f"\n== one broker, {file}")
    users = "users" in file
    broker = Broker(folder, file)
    with contextlib.ExitStack() as stack:
        stack.callback(broker.end)
        broker.start()
        wait_for("a healthy broker", broker.healthy)
        if path:
            agon = Agon(path, folder, [broker], users)
            stack.callback(agon.end)
            play(agon)
            agon.dismiss_worker()
        if users:
            check_rights(broker)


def check_cluster(path, folder, file):
    print(f"\n== three brokers, {file}")
    users, ports = "users" in file, [free_port() for _ in range(3)]
    login = f"broker:{PASSWORDS['AGON_ROUTE_PASSWORD']}@" if users else ""
    routes = "[" + ", ".join(f"nats://{login}127.0.0.1:{port}" for port in ports) + "]"
    brokers = [Broker(folder, file, f"broker-{i + 1}", routes, port) for i, port in enumerate(ports)]
    with contextlib.ExitStack() as stack:
        for broker in brokers:
            stack.callback(broker.end)
            broker.start()

        def leader(broker):
            meta = broker.get("/jsz")["meta_cluster"]
            return meta.get("cluster_size") == 3 and meta.get("leader")

        for broker in brokers:
            wait_for("a healthy broker with a leader", lambda: leader(broker) and broker.healthy())
        print(f"ok  three healthy brokers, leader {leader(brokers[0])}")
        if path:
            agon = Agon(path, folder, brokers, users)
            stack.callback(agon.end)
            play(agon)
            lose_one(agon)
            agon.dismiss_worker()
        if users:
            check_rights(brokers[0])
            stranger = socket.create_connection(("127.0.0.1", ports[0]), timeout=10)
            stranger.sendall(b'CONNECT {"name":"x","verbose":false}\r\nPING\r\n')
            answer = stranger.makefile("rb").read()
            expect("a stranger does not get into the cluster", b"Authorization Violation" in answer, answer)
        old = brokers[0].process
        subprocess.run([SERVER, "--signal", f"ldm={old.pid}"], check=True)
        expect("a broker leaves gracefully on request", old.wait(timeout=60) is not None)


def lose_one(agon):
    """The leader of the units is killed while games are played, and comes back."""
    brokers = agon.brokers

    def returned(broker):
        return broker.streams()["AGON_RESULTS"]["state"]["last_seq"]

    before, coordinator = returned(brokers[0]), agon.tournament(1000, "mcts")
    wait_for("results", lambda: returned(brokers[0]) > before + 1)
    name = brokers[0].streams()["AGON_UNITS"]["cluster"]["leader"]
    victim = next(broker for broker in brokers if broker.name == name)
    victim.end(signal.SIGKILL)
    expect(f"{name} is killed in the middle", coordinator.poll() is None)
    agon.finish("1000 games are played over two brokers of three", coordinator)
    victim.start()
    equal = lambda: victim.healthy() and len({returned(broker) for broker in brokers}) == 1
    expect(f"{name} comes back and is up to date", wait_for(f"{name} to be up to date", equal))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = HERE.parent / "target" / "release" / "agon"
    parser.add_argument("--agon", type=pathlib.Path, default=default, metavar="PATH")
    path = parser.parse_args().agon.resolve()
    if not shutil.which(SERVER):
        raise SystemExit(f"{SERVER} is not installed")
    print(subprocess.run([SERVER, "--version"], capture_output=True, text=True).stdout.strip())
    if not path.is_file():
        print(f"SKIPPED: there is no {path}; whether games can be played is not checked (--agon PATH)")
        path = None
    checks = [("single.conf", check_single), ("single-users.conf", check_single)]
    checks += [("cluster.conf", check_cluster), ("cluster-users.conf", check_cluster)]
    with tempfile.TemporaryDirectory(prefix="agon-brokers-") as folder:
        for file, check in checks:
            here = pathlib.Path(folder) / file
            here.mkdir()
            check(path, here, file)
    print("\nall checks passed" if path else "\nall checks passed that need no Agon")


if __name__ == "__main__":
    main()
