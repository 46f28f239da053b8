// A game: to play, or to watch.

/** @import { Game, GameNews } from "../api-types" */
/** @import { Key, Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { button, capital, el, link } from "../dom.js";
import { Advice } from "../parts/advice.js";
import { ask } from "../parts/dialog.js";
import { Headline } from "../parts/headline.js";
import { Lost } from "../parts/lost.js";
import { Message } from "../parts/message.js";
import { Moves } from "../parts/moves.js";
import { announce, banner } from "../parts/notices.js";
import { Players } from "../parts/players.js";
import { seatCard } from "../parts/seatlinks.js";
import { forgetGame, rememberGame } from "../parts/settings.js";
import { share } from "../parts/share.js";
import { sound } from "../parts/sounds.js";
import { Positions, Stage } from "../parts/stage.js";
import { stepButtons, stepKeys } from "../parts/steps.js";
import { follow } from "../parts/stream.js";
import { claimFromAddress, inheritTokens } from "../parts/tokens.js";
import { Tools } from "../parts/tools.js";
import { WatchBar } from "../parts/watchbar.js";
import { elsewhereWords, isElsewhere, moveLabel, nameOf, peopleOf, turnWords, verdictFor, versus } from "../parts/words.js";

/** How long to wait for an expected update before asking for it. */
const NEWS_MS = 1000;

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal, go, again }) {
  const id = params[0] ?? "";
  if (claimFromAddress(id)) rememberGame(id);
  // The link of a seat, opened while its game is shown, changes only the fragment.
  window.addEventListener("hashchange", () => claimFromAddress(id) && again(), { signal });
  const game = await api.game(id, signal);
  const view = new GameView(game, signal, go, again);
  follow(game.id, {
    version: () => view.game.version,
    onGame: (news) => view.accept(news),
    onGone: () => view.gone(),
    onLink: (up) => view.linked(up),
  }, signal);
  return { name: "game", title: `${game.position.title}: ${versus(game.players)}`, body: [view.node], keys: view.keys() };
}

/** Everything on the page of one game. */
class GameView {
  /**
   * @param {Game} game
   * @param {AbortSignal} signal
   * @param {(path: string) => void} go
   * @param {() => void} again
   */
  constructor(game, signal, go, again) {
    this.game = game;
    this.go = go;
    this.again = again;
    this.up = true;
    /** Resolves the promises that wait for an update. @type {((news: unknown) => void)[]} */
    this.waiting = [];
    /** The ply that is looked back at; null is the current position. @type {number | null} */
    this.looking = null;
    this.message = new Message();
    this.host = el("div", { class: "board-host", data: { board: "live" } });
    this.board = new Board(this.host, {
      label: `${game.position.title} board`,
      onMove: (text) => this.change("moves", { move: text, position: this.game.position.position }),
      onSay: (text, kind) => this.say(text, kind),
    });
    this.positions = new Positions(game.position.variant, game.position.start, signal, game.position);
    this.advice = new Advice(this.board, this.message, signal);
    this.lost = new Lost(this.positions, game.position);
    this.stage = new Stage(this.board, this.positions, (position) => {
      void this.advice.refresh(this.game, this.looking);
      void this.lost.show(position);
    });
    this.headline = new Headline({ onNow: () => this.look(null), onRematch: () => void this.rematch() });
    this.players = new Players(game, signal);
    this.moves = new Moves(game.position.labels, (ply) => this.look(ply));
    this.way = { at: () => this.ply, end: () => this.game.played.length, to: (/** @type {number} */ ply) => this.look(ply) };
    this.steps = stepButtons(this.way);
    this.branch = button("Play on from here", () => void this.playOn(), { class: "small", data: { action: "branch" } });
    this.analyse = button("Analyse", () => this.go(`/analyse?game=${api.segment(this.game.id)}&ply=${this.ply}`), { class: "small", data: { action: "analyse" } });
    this.tools = new Tools(this.board, game.position, game.yours[0] ?? peopleOf(game.players)[0] ?? 0, this.actions());
    this.watchBar = game.watch && new WatchBar((change) => void this.change("watch", change));
    this.where = isElsewhere(game) ? el("p", { class: "card muted", data: { elsewhere: "" } }) : null;
    this.node = this.layout();
    this.show();
  }

  /** How many moves lead to the position that is shown. */
  get ply() {
    return this.looking ?? this.game.played.length;
  }

  /** What can be done besides moving, for the buttons and the keys. */
  actions() {
    return {
      undo: () => void this.change("undo", {}),
      hint: () => void this.advice.ask("hint", this.game, this.looking),
      evaluate: () => void this.advice.ask("evaluation", this.game, this.looking),
      threats: () => void this.advice.toggleThreats(this.game, this.looking),
      draw: () => void this.draw(),
      decline: () => void this.change("draw", { seat: this.game.yours[0], decline: true }),
      resign: () => void this.resign(),
    };
  }

  layout() {
    const { position } = this.game;
    const rules = link(`/rules/${position.game}`, "Rules", { target: "_blank", data: { action: "rules" } });
    const { first, back, forward, last } = this.steps;
    return el("div", { class: "table live" },
      el("div", { class: "table-head" }, el("h1", null, position.title),
        position.variant !== position.game && el("span", { class: "muted" }, position.variant), rules),
      this.players.node,
      el("div", { class: "table-board" }, this.headline.node, this.host, this.lost.node, this.message.node),
      el("div", { class: "table-side" },
        this.watchBar?.node, this.where, seatCard(this.game), this.tools.node,
        el("section", { class: "card" }, el("h2", null, "Moves"), this.moves.node,
          el("div", { class: "row steps", role: "group", "aria-label": "Look back" }, first, back, forward, last, this.branch, this.analyse),
          share(this.game.id, () => this.positionSeen()))));
  }

  /** @returns {Key[]} */
  keys() {
    const watching = this.watchBar;
    return [
      ...this.tools.keys(),
      ...stepKeys(this.way),
      ...(this.game.clock ? [{ key: "Escape", label: "Cancel a move for later", run: () => void this.board.cancel() }] : []),
      ...(watching ? [{ key: "p", label: "Pause or resume", run: () => watching.toggle.click() }] : []),
    ];
  }

  /**
   * An update of the game. Outdated ones are ignored: two answers may cross.
   * @param {GameNews} news
   */
  accept(news) {
    if (news.version <= this.game.version) return;
    if (news.created_at !== this.game.created_at) return this.anotherGame();
    const before = this.game;
    const game = { ...news, position: api.withNews(before.position, news.position) };
    this.game = game;
    this.wake();
    if (this.looking !== null && this.looking >= game.played.length) this.looking = null;
    if (game.yours.length > 0) rememberGame(game.id);
    this.tell(before);
    this.show();
  }

  /** The other process has started another game, which may have nothing in common with this page. */
  anotherGame() {
    announce("A new game has started.");
    this.again();
  }

  /**
   * Announces what happened.
   * @param {Game} before
   */
  tell(before) {
    const { game } = this;
    const verdict = verdictFor(game);
    const { guide, to_move } = game.position;
    const mine = to_move !== null && game.yours.includes(to_move);
    const advice = mine ? guide : null;
    const now = [verdict && `${verdict}.`, turnWords(game) + (advice ? "." : ""), advice].filter(Boolean).join(" ");
    const fresh = game.played.slice(before.played.length)
      .map((move) => `${nameOf(game.players, move.seat)}: ${moveLabel(move.text)}.`);
    const lost = fresh.length > 0 ? (game.position.last?.removes.length ?? 0) : 0;
    if (lost > 0) fresh.push(lost === 1 ? "One piece leaves the board." : `${lost} pieces leave the board.`);
    if (game.played.length < before.played.length) fresh.push("Move taken back.");
    if (fresh.length > 0 || game.position.outcome !== before.position.outcome) announce([...fresh, now].join(" "));
    if (fresh.length > 0) {
      this.say("", "info");
      if (game.position.outcome) sound("end");
      else sound(lost > 0 ? "capture" : "move", ...(mine && game.yours.length === 1 ? /** @type {const} */ (["turn"]) : []));
    } else if (game.position.outcome && !before.position.outcome) sound("end");
    this.tellDraw(before);
  }

  /**
   * Says that a draw is offered or declined.
   * @param {Game} before
   */
  tellDraw(before) {
    const { players, draw_offers, yours, played, position } = this.game;
    if (position.outcome || yours.length === 0 || yours.length === players.length) return;
    const others = (/** @type {number[]} */ seats) => seats.filter((seat) => !yours.includes(seat));
    const offering = others(draw_offers).filter((seat) => !before.draw_offers.includes(seat));
    if (offering.length > 0) this.say(`${offering.map((seat) => nameOf(players, seat)).join(" and ")} offers a draw.`, "info");
    const declined = before.draw_offers.length > draw_offers.length && played.length === before.played.length;
    if (declined) this.say("The draw was declined.", "info");
  }

  /** Brings everything up to date. */
  show() {
    const { game, looking } = this;
    this.headline.show(game, looking);
    this.players.show(game);
    this.moves.show(game.played, this.ply);
    this.steps.show();
    // In the current position of a game that goes on, one simply plays.
    this.branch.hidden = !this.mayPlayOn();
    this.tools.show(game, looking);
    if (game.rematch) inheritTokens(game.id, game.rematch, { shift: 1, seats: game.players.length });
    if (this.where) this.where.textContent = elsewhereWords(game);
    if (game.watch) this.watchBar?.show(game.watch, game.position.outcome !== null);
    this.showBoard().catch((error) => {
      if (!api.isAbort(error)) this.say(api.messageOf(error), "error");
    });
  }

  showBoard() {
    const { game, looking } = this;
    const moves = game.played.map((move) => move.text);
    if (looking !== null) return this.stage.want({ moves: moves.slice(0, looking), mine: [] });
    // Where time is short, the next move can be entered while the opponent thinks.
    this.board.takesLater = game.clock !== null;
    return this.stage.want({ moves, position: game.position, mine: game.position.outcome ? [] : game.yours, catchUp: true });
  }

  /** Whether a new game can begin at the position that is shown. */
  mayPlayOn() {
    const { game, looking } = this;
    const stranger = game.yours.length === 0 && game.players.some((player) => player.owned);
    return !isElsewhere(game) && !stranger && (looking !== null || game.position.outcome !== null);
  }

  /** A new game from the position that is shown, with the same players. This one stays. */
  async playOn() {
    try {
      const next = await api.branch(this.game.id, this.ply);
      inheritTokens(this.game.id, next.id, { shift: 0, seats: next.players.length });
      if (next.yours.length > 0) rememberGame(next.id);
      this.go(`/play/${next.id}`);
    } catch (error) {
      this.say(api.messageOf(error), "error");
    }
  }

  /** The position on the board, as text. */
  async positionSeen() {
    const { game, looking } = this;
    if (looking === null) return game.position.position;
    return (await this.positions.after(game.played.slice(0, looking).map((move) => move.text))).position;
  }

  /** @param {number | null} ply */
  look(ply) {
    const end = this.game.played.length;
    this.looking = ply === null || ply >= end ? null : Math.max(0, ply);
    if (this.looking !== null) this.board.cancel();
    this.show();
  }

  /**
   * Asks the server for a change; if it refuses, the board goes back to the server's position.
   * @param {"moves" | "undo" | "resign" | "draw" | "watch"} what
   * @param {Record<string, unknown>} body
   */
  async change(what, body) {
    if (what !== "watch") this.looking = null;
    try {
      const ply = this.game.played.length;
      await this.reach(await api.change(this.game.id, what, what === "watch" ? body : { ...body, ply }));
    } catch (error) {
      await this.refused(error);
    }
  }

  /**
   * Waits for this version, and asks for it if it does not arrive by itself.
   * @param {number} version
   */
  async reach(version) {
    const late = new Promise((resolve) => window.setTimeout(resolve, NEWS_MS, "late"));
    while (this.up && this.game.version < version) {
      const news = new Promise((resolve) => this.waiting.push(resolve));
      if ((await Promise.race([news, late])) === "late") break;
    }
    if (this.game.version < version) this.accept(await api.game(this.game.id));
  }

  wake() {
    for (const go of this.waiting.splice(0)) go("news");
  }

  /** @param {unknown} error */
  async refused(error) {
    this.say(api.messageOf(error), "error");
    try {
      this.accept(await api.game(this.game.id));
    } catch {
      // The banner says that the connection is lost.
    }
    this.show();
  }

  /** At one board, the people agree on a draw; elsewhere it is offered, or accepted. */
  async draw() {
    const { yours, players } = this.game;
    if (yours.length < players.length) return this.change("draw", { seat: yours[0] });
    const agreed = await ask({ title: "A draw?", text: "The game ends, and nobody wins.", yes: "Agree on a draw", no: "Keep playing" });
    if (!agreed) return;
    for (const seat of yours) await this.change("draw", { seat });
  }

  async resign() {
    const { yours, position, players } = this.game;
    const seat = position.to_move !== null && yours.includes(position.to_move) ? position.to_move : yours[0];
    if (seat === undefined) return;
    const who = yours.length > 1 ? `${capital(players[seat]?.label ?? "")} loses the game.` : "You lose the game.";
    if (await ask({ title: "Resign?", text: who, yes: "Resign", no: "Keep playing" })) await this.change("resign", { seat });
  }

  async rematch() {
    try {
      const next = await api.rematch(this.game.id);
      inheritTokens(this.game.id, next.id, { shift: 1, seats: next.players.length });
      rememberGame(next.id);
      this.go(`/play/${next.id}`);
    } catch (error) {
      this.say(api.messageOf(error), "error");
    }
  }

  /**
   * The connection is up or lost. Errors shown while it was lost are cleared when it is back.
   * @param {boolean} up
   */
  linked(up) {
    if (up && !this.up) this.say("", "info");
    this.up = up;
    this.wake();
    banner(up ? null : "Connection lost, reconnecting…");
  }

  gone() {
    forgetGame(this.game.id);
    this.say("This game has been deleted.", "error");
    void this.stage.want({ moves: [], position: this.game.position, mine: [] });
  }

  /**
   * @param {string} text
   * @param {"info" | "error"} kind
   */
  say(text, kind) {
    this.message.set("said", text, kind);
  }
}
