"""The visual manager, tested through its page as a browser would use it."""

import json
import random
import threading
import time
import urllib.error
import urllib.request
import webbrowser

import pytest

import agon.fenix.page
from agon.fenix import Agent, FenixState, RandomAgent, VisualGameManager


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    monkeypatch.setattr(agon.fenix.page, "_has_screen", lambda: False)
    monkeypatch.setattr(agon.fenix.page, "_GRACE_S", 0.2)


class First(Agent):
    def act(self, state, remaining_time):
        return state.actions()[0]


class Answers(Agent):
    def __init__(self, player, answer):
        super().__init__(player)
        self.answer = answer

    def act(self, state, remaining_time):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class Browser:
    """A manager that plays in a thread, and a person at its page."""

    def __init__(self, *arguments, **options):
        self.manager = VisualGameManager(*arguments, **options)
        self.ended = None
        self.thread = threading.Thread(target=self._play, daemon=True)
        self.thread.start()
        self.wait(lambda: self.manager.screen.address)

    def _play(self):
        try:
            self.manager.play()
        except BaseException as error:
            self.ended = error

    def wait(self, happened, seconds=10):
        end = time.monotonic() + seconds
        while not happened():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.005)

    def view(self, after=0):
        url = f"{self.manager.screen.address}view?viewer=me&after={after}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)

    def shows(self, test, seconds=10):
        """Waits for a view that satisfies a condition, and returns it."""
        end, after = time.monotonic() + seconds, 0
        while True:
            answer = self.view(after)
            if test(answer["view"]):
                return answer["view"]
            assert time.monotonic() < end, answer["view"]
            after = answer["version"]

    def post(self, event):
        data = event if isinstance(event, bytes) else json.dumps(event).encode()
        url = self.manager.screen.address + "event"
        with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=30) as answer:
            return answer.status

    def quit(self):
        if self.thread.is_alive():
            self.post({"key": "Escape"})
            self.post({"key": "Escape"})
        self.thread.join(10)
        assert not self.thread.is_alive() and isinstance(self.ended, SystemExit), self.ended


def test_what_there_is_before_anything_happens():
    manager = VisualGameManager()
    assert list(vars(manager))[:23] == [
        "dim", "min_agent_play_time", "red_agent", "black_agent", "state", "winner", "actions",
        "selected_actions", "selected_id", "selected_action", "human_to_play", "agent_thread",
        "agent_action", "time_start_thread", "remaining_time_red", "remaining_time_black",
        "screen", "pieces_images", "number_font", "win_font", "clock", "running",
        "start_thinking_time",
    ]  # fmt: skip
    assert manager.min_agent_play_time == 0.5 and manager.remaining_time_red == 300
    assert manager.human_to_play and manager.winner is None and len(manager.actions) == 60
    assert set(manager.pieces_images) == {1, 2, 3, -1, -2, -3}
    assert manager.screen.address == "", "nothing is served before it is shown"


def test_a_person_plays_by_mouse_and_keys(capsys):
    browser = Browser()
    manager = browser.manager
    view = browser.shows(lambda view: view["message"] == "Red to play")
    assert len(view["pieces"]) == 42 and [0, 0] in view["starts"] and [3, 2] in view["starts"]
    browser.post({"click": [6, 7]})
    browser.post({"click": [1, 1]})
    view = browser.shows(lambda view: view["message"] == "Action 1/4")
    assert view["selected"] == {"start": [1, 1], "end": [0, 1], "removed": []}
    browser.post({"key": "ArrowRight"})
    browser.shows(lambda view: view["message"] == "Action 2/4")
    browser.post({"key": "ArrowLeft"})
    browser.post({"key": "ArrowLeft"})
    browser.shows(lambda view: view["message"] == "Action 4/4")
    browser.post({"click": [2, 1]})
    view = browser.shows(lambda view: view["message"] == "Action 3/4")
    assert view["selected"]["end"] == [2, 1]
    browser.post({"key": "Escape"})
    browser.shows(lambda view: view["message"] == "Red to play")
    browser.post({"click": [0, 0]})
    browser.post({"key": "Enter"})
    view = browser.shows(lambda view: view["message"] == "Black to play")
    assert view["last"]["start"] == [0, 0] and manager.state.pieces[(1, 0)] == 2
    assert manager.remaining_time_red < 300 and manager.remaining_time_black == 300
    browser.post({"key": "r"})
    browser.shows(lambda view: view["message"] == "Red to play")
    assert manager.state.turn == 2
    browser.quit()
    assert capsys.readouterr().out.startswith("Fenix: http://127.0.0.1:")


def test_a_person_plays_against_an_agent_to_the_end():
    random.seed(2)
    browser = Browser(None, RandomAgent(-1), min_agent_play_time=0)
    manager = browser.manager

    def hurry():
        if manager.human_to_play and manager.winner is None:
            browser.post({"key": "r"})
        return manager.winner is not None

    browser.wait(hurry, 60)
    words = {1: "Red wins!", -1: "Black wins!", 0: "Draw!"}[manager.winner]
    browser.shows(lambda view: view["win"] == words and view["starts"] == [])
    assert manager.state.is_terminal() or manager.reason
    browser.quit()


def test_agents_lose_their_time_even_if_they_need_none():
    browser = Browser(First(1), First(-1), total_time=0.15, min_agent_play_time=0.1)
    manager = browser.manager
    view = browser.shows(lambda view: view["win"])
    assert (view["win"], manager.winner) == ("Black wins!", -1)
    assert view["reason"] == "Red ran out of time." and manager.state.turn == 3
    assert manager.remaining_time_red <= 0 < manager.remaining_time_black
    browser.quit()


@pytest.mark.parametrize(
    "answer, reason",
    [
        (None, "Red's agent gave an invalid action: None"),
        ((1, 2), "Red's agent gave an invalid action: (1, 2)"),
        (ValueError("oh no"), "Red's agent failed: ValueError: oh no"),
        (SystemExit(3), "Red's agent failed: SystemExit: 3"),
    ],
)
def test_agents_that_fail_lose_with_the_reason_shown(answer, reason):
    browser = Browser(Answers(1, answer), None, min_agent_play_time=0)
    view = browser.shows(lambda view: view["win"])
    assert (view["win"], view["reason"]) == ("Black wins!", reason)
    browser.quit()


def test_an_agent_that_fails_later_loses_too():
    class Once(First):
        def act(self, state, remaining_time):
            if state.turn > 1:
                raise RuntimeError("tired")
            return super().act(state, remaining_time)

    browser = Browser(First(1), Once(-1), min_agent_play_time=0)
    view = browser.shows(lambda view: view["win"])
    assert (view["win"], view["reason"]) == ("Red wins!", "Black's agent failed: RuntimeError: tired")
    browser.quit()


def test_who_thinks_for_ever_is_left_alone():
    class Forever(Agent):
        def act(self, state, remaining_time):
            time.sleep(60)

    browser = Browser(Forever(1), None)
    browser.shows(lambda view: view["message"] == "Red is thinking")
    browser.post({"key": "r"})
    browser.post({"click": [0, 0]})
    assert browser.manager.state.turn == 0
    browser.quit()


def test_closing_the_page_ends_it_and_loading_it_again_does_not():
    browser = Browser()
    browser.view()
    browser.post({"left": "me"})
    browser.view()
    time.sleep(0.4)
    assert browser.thread.is_alive()
    browser.post({"left": "me"})
    browser.thread.join(10)
    assert isinstance(browser.ended, SystemExit)


def test_the_page_and_strangers():
    browser = Browser()
    address = browser.manager.screen.address
    with urllib.request.urlopen(address, timeout=10) as answer:
        html = answer.read().decode()
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "<title>Fenix</title>" in html and "http" not in html.replace("http://www.w3.org", "")
    server = address.rsplit("/", 2)[0]
    for path in ("/", "/view", "/wrong/view", "/wrong/event"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(server + path, timeout=10)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(server + "/wrong/event", data=b"{}", timeout=10)
    with pytest.raises(urllib.error.HTTPError, match="400"):
        browser.post(b"[]")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        browser.post({"key": "r" * 2000})
    for nonsense in ({"click": "x"}, {"click": [[1], {}]}, {"key": 7}, {"what": 1}, {"click": []}):
        browser.post(nonsense)
    browser.shows(lambda view: view["message"] == "Red to play")
    browser.quit()


def test_a_browser_is_opened_where_there_is_a_screen(monkeypatch):
    opened = []
    monkeypatch.setattr(agon.fenix.page, "_has_screen", lambda: True)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    browser = Browser()
    browser.wait(lambda: opened)
    assert opened == [browser.manager.screen.address]
    browser.quit()


def test_the_methods_can_be_called_by_hand():
    manager = VisualGameManager(First(1), First(-1), min_agent_play_time=0)
    try:
        while manager.winner is None:
            manager.handle_events()
            manager.update()
            manager.draw()
        assert manager.winner == 1 and manager.state.utility(1) == 1
    finally:
        manager.screen.close()


def test_a_person_without_actions_loses():
    manager = VisualGameManager()
    manager.state.__dict__.update(
        turn=20, pieces={(0, 0): 1, (0, 1): -1, (0, 2): -1, (1, 0): -1, (2, 0): -3}
    )
    manager.actions = manager.state.actions()
    manager.update()
    assert manager.winner == -1 and manager.reason == "Red has no action left."


def test_a_state_put_in_by_hand_can_be_over():
    manager = VisualGameManager()
    manager.state = FenixState()
    manager.state.__dict__.update(turn=20, pieces={(0, 0): 3}, boring_turn=0)
    manager.remaining_time_red = -1
    manager.update()
    assert manager.winner == 1, "the end counts before the clock"
