#!/usr/bin/env python3
"""Starts real brokers with the files in nats/ and checks that they do what the files say.

    python3 deploy/check.py            needs nats-server (NATS_SERVER=PATH for another one), nothing else

One broker with and without passwords, and three: they become healthy, keep what they were given when one
of them is killed and while it is away, and take it back. Users can do what they need and no more.
"""

import base64
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
INSTALLED = shutil.which("nats-server") or "/usr/sbin/nats-server"
SERVER = os.environ.get("NATS_SERVER") or INSTALLED
PASSWORDS = {
    "AGON_COORDINATOR_PASSWORD": "pc0",
    "AGON_WORKER_PASSWORD": "pw0",
    "AGON_ROUTE_PASSWORD": "pr0",
}
STREAMS = ["AGON_UNITS", "AGON_RESULTS", "KV_AGON_CLASSES", "KV_AGON_LOCKS", "OBJ_AGON_FILES"]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, condition, seconds=60):
    end = time.monotonic() + seconds
    problem = None
    while time.monotonic() < end:
        try:
            found = condition()
            if found:
                return found
        except (OSError, ValueError) as error:
            problem = error
        time.sleep(0.05)
    raise SystemExit(f"FAILED: {what} (after {seconds} s) {problem or ''}")


def expect(what, condition, detail=""):
    if not condition:
        raise SystemExit(f"FAILED: {what} {detail}")
    print(f"ok  {what}")


class Broker:
    """A broker with its own ports and folder."""

    def __init__(self, folder, file, name="agon", routes=None, cluster_port=None):
        self.port, self.http = free_port(), free_port()
        self.log = folder / f"{name}.log"
        self.folder = folder / name
        self.folder.mkdir()
        self.arguments = [SERVER, "-c", str(HERE / "nats" / file)]
        self.environment = {**os.environ, **PASSWORDS}
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
        self.process = None

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


class Client:
    """As much of the NATS protocol as is needed here."""

    def __init__(self, broker, user=None, password=None):
        self.socket = socket.create_connection(("127.0.0.1", broker.port), timeout=10)
        self.file = self.socket.makefile("rb")
        self.file.readline()  # INFO
        options = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True}
        if user:
            options |= {"user": user, "pass": password}
        self.errors, self.messages, self.subscriptions = [], [], 0
        self.send(f"CONNECT {json.dumps(options)}")
        self.inbox = f"_INBOX.{os.getpid()}.{id(self)}"
        self.settle()
        if not self.errors:
            self.subscribe(f"{self.inbox}.*")

    def send(self, line, payload=None):
        data = line.encode() + b"\r\n"
        if payload is not None:
            data += payload + b"\r\n"
        self.socket.sendall(data)

    def step(self):
        """Reads one thing from the server, and returns what it was."""
        try:
            line = self.file.readline().decode().rstrip()
        except ConnectionError:
            line = ""
        word, *words = line.split(" ")
        if word == "PING":
            self.send("PONG")
        elif word == "-ERR" or not line:
            self.errors.append(line or "closed")
        elif word in ("MSG", "HMSG"):
            payload = self.file.read(int(words[-1]) + 2)[:-2]
            if word == "HMSG":
                payload = payload[int(words[-2]) :]
            reply = words[2] if len(words) == (4 if word == "MSG" else 5) else None
            self.messages.append((words[0], reply, payload))
        return word

    def settle(self):
        """Waits until the server has seen everything."""
        try:
            self.send("PING")
        except ConnectionError:
            pass
        while self.step() not in ("PONG", ""):
            pass

    def subscribe(self, subject):
        self.subscriptions += 1
        self.send(f"SUB {subject} {self.subscriptions}")
        self.settle()

    def publish(self, subject, payload=b"x", reply=""):
        self.send(f"PUB {subject} {reply} {len(payload)}".replace("  ", " "), payload)

    def refused(self, subject, verb="publish", payload=b"x"):
        """Whether the server refuses to let this user do it."""
        self.errors.clear()
        self.subscribe(subject) if verb == "subscribe" else self.publish(subject, payload)
        self.settle()
        return any("Permissions Violation" in error for error in self.errors)

    def request(self, subject, value=b""):
        payload = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.errors.clear()
        self.messages.clear()
        self.publish(subject, payload, f"{self.inbox}.1")
        while not self.messages and not self.errors:
            self.step()
        if self.errors:
            raise SystemExit(f"FAILED: {subject}: {self.errors}")
        answer = self.messages[0][2]
        return json.loads(answer) if answer.startswith(b"{") else answer


def make_streams(client, replicas):
    """What a coordinator makes, by itself roughly."""
    subjects = {
        "AGON_UNITS": ["agon.units.>"],
        "AGON_RESULTS": ["agon.results.>"],
        "KV_AGON_CLASSES": ["$KV.AGON_CLASSES.>"],
        "KV_AGON_LOCKS": ["$KV.AGON_LOCKS.>"],
        "OBJ_AGON_FILES": ["$O.AGON_FILES.C.>", "$O.AGON_FILES.M.>"],
    }
    for name in STREAMS:
        retention = "workqueue" if name in ("AGON_UNITS", "AGON_RESULTS") else "limits"
        settings = {
            "name": name, "subjects": subjects[name], "retention": retention, "storage": "file",
            "num_replicas": replicas, "allow_direct": True, "max_bytes": 256 << 20,
        }

        def made():
            answer = client.request(f"$JS.API.STREAM.CREATE.{name}", settings)
            if "error" in answer:
                raise ValueError(answer["error"])
            return True

        wait_for(f"stream {name}", made)


def consumer(name, subject):
    return {
        "durable_name": name, "ack_policy": "explicit", "filter_subject": subject,
        "deliver_policy": "all",
    }


def check_rights(broker):
    """A unit from coordinator to worker and a result back; and everything else is refused."""
    nobody = Client(broker)
    expect("nobody gets in without a password", "Authorization Violation" in str(nobody.errors))
    nobody = Client(broker, "worker", "pc0")
    expect("nor with a wrong one", "Authorization Violation" in str(nobody.errors))

    coordinator = Client(broker, "coordinator", PASSWORDS["AGON_COORDINATOR_PASSWORD"])
    worker = Client(broker, "worker", PASSWORDS["AGON_WORKER_PASSWORD"])
    make_streams(coordinator, 1)
    ack = coordinator.request("agon.units.c1.r1", b"a unit")
    expect("a coordinator queues a unit", ack.get("stream") == "AGON_UNITS", ack)

    settings = {"stream_name": "AGON_UNITS", "config": consumer("c1", "agon.units.c1.>")}
    made = worker.request("$JS.API.CONSUMER.DURABLE.CREATE.AGON_UNITS.c1", settings)
    expect("a worker makes its class's consumer", made.get("name") == "c1", made)
    worker.request("$JS.API.CONSUMER.MSG.NEXT.AGON_UNITS.c1", {"batch": 1, "expires": 5_000_000_000})
    _, reply, unit = worker.messages[0]
    expect("and takes a unit", unit == b"a unit", unit)
    expect("and reports that it is playing", not worker.refused(reply, payload=b"+WPI"))
    ack = worker.request("agon.results.r1", b"a result")
    expect("and returns a result", ack.get("stream") == "AGON_RESULTS", ack)
    worker.publish(reply, b"+ACK")
    worker.settle()

    settings = {"stream_name": "AGON_RESULTS", "config": consumer("r1", "agon.results.r1")}
    coordinator.request("$JS.API.CONSUMER.DURABLE.CREATE.AGON_RESULTS.r1", settings)
    coordinator.request("$JS.API.CONSUMER.MSG.NEXT.AGON_RESULTS.r1", {"batch": 1, "expires": 5_000_000_000})
    _, reply, result = coordinator.messages[0]
    coordinator.publish(reply, b"+ACK")
    coordinator.settle()
    expect("a coordinator takes the result", result == b"a result" and not coordinator.errors)
    left = {
        name: coordinator.request(f"$JS.API.STREAM.INFO.{name}")["state"]["messages"]
        for name in ("AGON_UNITS", "AGON_RESULTS")
    }
    expect("and both queues are empty", not any(left.values()), left)

    for subject in ("$O.AGON_FILES.C.f1", "$O.AGON_FILES.M.f1", "$KV.AGON_CLASSES.c1", "$KV.AGON_LOCKS.r1"):
        coordinator.request(subject, b"data of f1")
    for stream, subject in (("OBJ_AGON_FILES", "$O.AGON_FILES.M.f1"), ("KV_AGON_CLASSES", "$KV.AGON_CLASSES.c1")):
        got = worker.request(f"$JS.API.STREAM.MSG.GET.{stream}", {"last_by_subj": subject})
        expect(f"a worker reads {subject}", base64.b64decode(got["message"]["data"]) == b"data of f1")
        got = worker.request(f"$JS.API.DIRECT.GET.{stream}.{subject}")
        expect(f"a worker reads {subject} directly", got == b"data of f1", got)
        settings = {
            "stream_name": stream,
            "config": {
                "name": "o1", "deliver_subject": f"{worker.inbox}.read.{stream}", "ack_policy": "none", "flow_control": True,
                "idle_heartbeat": 5_000_000_000, "max_deliver": 1, "mem_storage": True, "num_replicas": 1,
                "filter_subject": subject, "inactive_threshold": 60_000_000_000,
            },
        }
        # Interest in a consumer's deliveries is noticed by its exact subject only.
        worker.subscribe(f"{worker.inbox}.read.{stream}")
        worker.request(f"$JS.API.CONSUMER.CREATE.{stream}.o1.{subject}", settings)
        while len(worker.messages) < 2:
            worker.step()
        contents = [message[2] for message in worker.messages]
        expect(f"a worker reads {stream} through an ordered consumer", b"data of f1" in contents, contents)
        gone = worker.request(f"$JS.API.CONSUMER.DELETE.{stream}.o1")
        expect("and removes that", gone.get("success") or "error" not in gone, gone)

    worker.subscribe("agon.ping")
    coordinator.messages.clear()
    coordinator.publish("agon.ping", b"", f"{coordinator.inbox}.3")
    while not any(subject == "agon.ping" for subject, _, _ in worker.messages):
        worker.step()
    expect("a worker answers a ping", not worker.refused(f"{coordinator.inbox}.3"))
    expect("but only once", worker.refused(f"{coordinator.inbox}.3"))

    for subject in ["agon.status.w1"]:
        expect(f"a worker may publish {subject}", not worker.refused(subject))
    for subject in ["agon.ping", "agon.cancel.r1", "agon.cancel.>"]:
        expect(f"a worker may subscribe to {subject}", not worker.refused(subject, "subscribe"))
    refused = ["agon.units.x.y", "agon.runs.r1", "agon.cancel.r1", "agon.ping", "agon.other", "other"]
    refused += ["$KV.AGON_LOCKS.r1", "$KV.AGON_CLASSES.c1", "$O.AGON_FILES.C.f1", "$O.AGON_FILES.M.f1"]
    refused += [f"{coordinator.inbox}.1", "$JS.ACK.AGON_RESULTS.r1.1.1.1.1.0", "$JS.API.STREAM.LIST"]
    refused += ["$JS.API.CONSUMER.MSG.NEXT.AGON_RESULTS.r1", "$JS.API.CONSUMER.CREATE.AGON_RESULTS.r2"]
    refused += ["$JS.API.CONSUMER.DELETE.AGON_UNITS.c1", "$JS.API.STREAM.MSG.GET.AGON_RESULTS"]
    refused += ["$JS.API.STREAM.MSG.GET.AGON_UNITS", "$SYS.REQ.SERVER.PING"]
    for name in STREAMS:
        refused += [f"$JS.API.STREAM.{verb}.{name}" for verb in ("CREATE", "UPDATE", "PURGE", "DELETE")]
        refused += [f"$JS.API.STREAM.MSG.DELETE.{name}"]
    for subject in refused:
        expect(f"a worker may not publish {subject}", worker.refused(subject))
    for subject in [">", "agon.>", "agon.units.>", "agon.results.>", "$JS.>", "$KV.AGON_LOCKS.>"]:
        expect(f"a worker may not subscribe to {subject}", worker.refused(subject, "subscribe"))

    refused = [f"$JS.API.STREAM.DELETE.{name}" for name in STREAMS]
    refused += ["$JS.API.STREAM.SNAPSHOT.AGON_UNITS", "$JS.API.META.LEADER.STEPDOWN", "agon.results.r1", "other"]
    refused += ["agon.status.w1", "$JS.ACK.AGON_UNITS.c1.1.1.1.1.0"]
    for subject in refused:
        expect(f"a coordinator may not publish {subject}", coordinator.refused(subject))
    for subject in ["agon.units.c1.r1", "agon.runs.r1", "agon.cancel.r1", "$JS.API.STREAM.PURGE.AGON_UNITS"]:
        expect(f"a coordinator may publish {subject}", not coordinator.refused(subject))
    for subject in ["agon.status.>", "agon.runs.>"]:
        expect(f"a coordinator may subscribe to {subject}", not coordinator.refused(subject, "subscribe"))
    expect("the streams are still there", len(coordinator.request("$JS.API.STREAM.NAMES")["streams"]) == 5)

    worker.errors.clear()
    worker.send(f"PUB agon.status.w1 {(1 << 20) + 1}")
    while not worker.errors:
        worker.step()
    expect("more than 1 MB is refused", "Maximum Payload" in str(worker.errors), worker.errors)


def check_single(folder):
    print("\n== one broker, open")
    broker = Broker(folder, "single.conf", "open")
    try:
        broker.start()
        wait_for("a healthy broker", broker.healthy)
        limits = broker.get("/jsz")["config"]
        expect("it has the limits of common.conf", limits["max_storage"] == 8 << 30, limits)
        make_streams(Client(broker), 1)
        expect("anyone may make streams", True)
    finally:
        broker.end()
    print("\n== one broker, with users")
    broker = Broker(folder, "single-users.conf", "users")
    try:
        broker.start()
        wait_for("a healthy broker", broker.healthy)
        check_rights(broker)
    finally:
        broker.end()


def check_cluster(folder, file, login):
    print(f"\n== three brokers, {file}")
    ports = [free_port() for _ in range(3)]
    user = f"broker:{PASSWORDS['AGON_ROUTE_PASSWORD']}@" if login else ""
    routes = "[" + ", ".join(f"nats://{user}127.0.0.1:{port}" for port in ports) + "]"
    brokers = [
        Broker(folder / file, file, f"broker-{i + 1}", routes, port) for i, port in enumerate(ports)
    ]
    try:
        begin = time.monotonic()
        for broker in brokers:
            broker.start()
        for broker in brokers:
            wait_for("a healthy broker", broker.healthy)
        leader = wait_for(
            "a leader and two followers",
            lambda: (meta := brokers[0].get("/jsz")["meta_cluster"]).get("cluster_size") == 3
            and meta.get("leader"),
        )
        print(f"ok  three healthy brokers, leader {leader}, after {time.monotonic() - begin:.1f} s")
        client = Client(brokers[0], *login)
        make_streams(client, 3)
        for number in range(200):
            ack = client.request("agon.units.c1.r1", b"unit %d" % number)
            expect("", False, ack) if "error" in ack else None
        expect("200 units stored in three places", True)
        names = [broker.environment["BROKER_NAME"] for broker in brokers]
        for name in (leader, next(name for name in names if name != leader)):
            victim = brokers[names.index(name)]
            others = [broker for broker in brokers if broker is not victim]
            victim.end(signal.SIGKILL)
            client = Client(others[0], *login)
            begin = time.monotonic()

            def stored():
                client.messages.clear()
                ack = client.request("agon.units.c1.r1", b"while one is away")
                return isinstance(ack, dict) and "seq" in ack

            wait_for("publishing with two of three", stored)
            print(f"ok  {name} killed; units are taken again after {time.monotonic() - begin:.1f} s")
            begin = time.monotonic()
            victim.start()
            wait_for("the killed broker to be healthy", victim.healthy)
            client = Client(victim, *login)

            def complete():
                info = client.request("$JS.API.STREAM.INFO.AGON_UNITS")
                cluster = info.get("cluster", {})
                replicas = cluster.get("replicas") or []
                return len(replicas) == 2 and all(peer["current"] for peer in replicas) and info

            info = wait_for("its copy to be current", complete)
            expect(
                f"{name} back and current after {time.monotonic() - begin:.1f} s, nothing lost",
                info["state"]["messages"] >= 200,
            )
        begin = time.monotonic()
        wait_for("equal copies", lambda: len({stream_messages(broker) for broker in brokers}) == 1)
        messages, seconds = stream_messages(brokers[0]), time.monotonic() - begin
        expect(f"all have the same {messages} units after {seconds:.1f} s", messages >= 202)
        if login:
            stranger = socket.create_connection(("127.0.0.1", ports[0]), timeout=10)
            stranger.sendall(b'CONNECT {"name":"x","verbose":false}\r\nPING\r\n')
            answer = stranger.makefile("rb").read()
            expect("a stranger does not get into the cluster", b"Authorization Violation" in answer, answer)
        old = brokers[0].process
        subprocess.run([SERVER, "--signal", f"ldm={old.pid}"], check=True)
        expect("a broker leaves gracefully on request", old.wait(timeout=60) is not None)
    finally:
        for broker in brokers:
            broker.end()


def stream_messages(broker):
    accounts = broker.get("/jsz?streams=true&accounts=true")["account_details"]
    details = [detail for account in accounts for detail in account["stream_detail"]]
    return next(d["state"]["messages"] for d in details if d["name"] == "AGON_UNITS")


def main():
    if not shutil.which(SERVER):
        raise SystemExit(f"{SERVER} is not installed")
    print(subprocess.run([SERVER, "--version"], capture_output=True, text=True).stdout.strip())
    with tempfile.TemporaryDirectory(prefix="agon-brokers-") as folder:
        folder = pathlib.Path(folder)
        for name in ("cluster.conf", "cluster-users.conf"):
            (folder / name).mkdir()
        check_single(folder)
        check_cluster(folder, "cluster.conf", ())
        check_cluster(folder, "cluster-users.conf", ("coordinator", PASSWORDS["AGON_COORDINATOR_PASSWORD"]))
    print("\nall checks passed")


if __name__ == "__main__":
    main()
