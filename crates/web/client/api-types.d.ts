/* The types of the JSON API. Seats and cells are numbered from 0. */

export interface Cell { name: string; x: number; y: number }
export interface Region {
  kind: "river" | "castle" | "goal" | "pit" | "blocked";
  label: string;
  owner: number | null;
  cells: number[];
}
export interface Piece { cell: number; owner: number | null; letter: string; name: string; height: number }
/** Pieces beside the board, to be placed; `left` is missing if they never run out. */
export interface Supply { owner: number; letter: string; name: string; left?: number }
export interface Scene {
  shape: "square" | "hexagon" | "hole";
  cells: Cell[];
  regions: Region[];
  pieces: Piece[];
  /** Missing if there is nothing to place. */
  supplies?: Supply[];
}

export interface Move {
  text: string;
  /**
   * All ways to enter the move, stop by stop; the first is the one to animate. A route of one cell places
   * a piece: the first is where it comes to stand, the others stand for it, as the rest of a column does.
   */
  routes: number[][];
  /** The letter of the piece that is placed, as in `Supply`. */
  places?: string;
  /** Cells whose pieces leave the board, as they stood before the move. */
  removes: number[];
  /** Other pieces moved along. */
  carries: [number, number][];
}
/** A move that another player could make; `wins` if it wins the game, or a place for good. */
export type Threat = Move & { wins: boolean };
export interface Outcome { points: number[]; places: number[]; reason: string; sentence: string }
export interface Position {
  variant: string;
  game: string;
  title: string;
  seats: string[];
  /** The names of the seats in texts for people. */
  labels: string[];
  start: string | null;
  position: string;
  ply: number;
  to_move: number | null;
  outcome: Outcome | null;
  scene: Scene;
  moves: Move[];
  last: (Move & { seat: number }) | null;
  guide: string | null;
  /** Degrees to turn the picture clockwise so that this seat sits at the bottom. */
  turns: number[];
  /** Whether players can threaten each other in this game. */
  has_threats: boolean;
}
/** What is the same in all positions of a game; brief positions leave it out. */
type Constant = "variant" | "game" | "title" | "seats" | "labels" | "turns" | "has_threats";
export type PositionNews = Omit<Position, Constant | "scene"> & Partial<Pick<Position, Constant>>
  & { scene: Pick<Scene, "pieces" | "supplies"> & Partial<Scene> };

/** A kind of piece with which a position can be set up. */
export interface Stock { letter: string; owner: number; name: string; height: number }
/** A number that belongs to a position; one from 0 to 1 is a yes or no. */
export interface Counter { name: string; label: string; min: number; max: number }
/** A position as somebody wants it, right or wrong. */
export interface Draft {
  pieces: { cell: number; letter: string }[];
  to_move: number;
  counters: Record<string, number>;
}
/** Pits and whatever else is fixed are those of `position`, or of the variant's start. */
export interface ArrangeQuery { variant: string; position?: string; draft?: Draft }
export interface Arranged {
  /** Empty if positions of this game cannot be set up. */
  palette: Stock[];
  counters: Counter[];
  draft: Draft;
  pieces: Piece[];
  /** The position as text, if the rules accept it. */
  position: string | null;
  problem: { message: string; cell: number | null } | null;
  /** Why the game is over in this position, if it is. */
  over: string | null;
}

export interface Player {
  seat: string;
  label: string;
  kind: "human" | "agent" | "elsewhere";
  agent: string | null;
  name: string;
  /** Whether only those who have the seat's link may play it. */
  owned?: boolean;
}
/** The token of a seat, which is sent once, to whoever starts the game. */
export interface SeatToken { seat: number; token: string; guest: boolean }
export interface Clock {
  control: string;
  remaining_ms: number[];
  running: number | null;
  at_ms: number;
}
export interface Watch { paused: boolean; delay_ms: number }
export interface Played { text: string; seat: number }
export interface Game {
  id: string;
  version: number;
  position: Position;
  played: Played[];
  players: Player[];
  clock: Clock | null;
  thinking: boolean;
  /** Why the agent to move cannot be asked on this server, if it cannot. */
  waiting: string | null;
  watch: Watch | null;
  can_undo: boolean;
  rematch: string | null;
  /** The seats that offer a draw. */
  draw_offers: number[];
  /** The seats that are played here. */
  yours: number[];
  /** In milliseconds since 1970, like all times here. A different time means a different game. */
  created_at: number;
  updated_at: number;
}
export type GameNews = Omit<Game, "position"> & { position: PositionNews };
export interface ListedGame {
  id: string;
  variant: string;
  title: string;
  players: Player[];
  ply: number;
  to_move: number | null;
  outcome: Outcome | null;
  updated_at: number;
  watch: Watch | null;
  scene: Scene;
  seats: string[];
  /** How far to turn the picture for the first human player. */
  turn: number;
}

/** `most_seats`: the largest number of players it is for. */
export interface AgentOption { name: string; values: string; about: string; most_seats: number }
export interface AgentKind { name: string; about: string; seats: number[]; options: AgentOption[] }
export interface Server {
  version: string;
  programs: "refused" | "with_secret";
  agents: AgentKind[];
  levels: number;
}

export interface NumberField { name: string; label: string; kind: "number" | "seed"; min: number; max: number; default: string }
export interface ChoiceField {
  name: string;
  label: string;
  kind: "choice";
  default: string;
  choices: { value: string; label: string }[];
}
export type Field = NumberField | ChoiceField;
export interface Form { template: string; fields: Field[] }
export interface CatalogGame {
  name: string;
  title: string;
  summary: string;
  seats: string[];
  /** The names of the seats in texts for people. */
  labels: string[];
  variants: { text: string; about: string }[];
  form: Form;
  /** The default variant at its start. */
  scene: Scene;
  /** How far to turn the picture for the first seat. */
  turn: number;
}

export interface Example {
  caption: string;
  position: Position;
  /** Moves to draw as arrows. */
  shown: Move[];
}
export interface Practice {
  task: string;
  position: Position;
  /** The moves that solve it; if empty, any move does. */
  goal: string[];
  /** The start position, and the moves that lead from it to this one. */
  start: string | null;
  moves: string[];
}
export interface Section { heading: string; text: string[]; examples: Example[] }
export interface Rules { title: string; summary: string; sections: Section[]; practice: Practice[] }

export interface PositionQuery { variant: string; position?: string | null; moves?: string[] }
export type SeatChoice = { kind: "human" } | { kind: "agent"; agent: string };
export interface NewGame {
  variant: string;
  position?: string;
  seats: SeatChoice[];
  /** The seats of friends, who get links. */
  friends?: number[];
  random_seats?: boolean;
  time?: string;
  paused?: boolean;
  delay_ms?: number;
}
/** An evaluation: `share` is how good it is for that seat, from 0 (lost) to 1 (won). */
export interface Evaluation { text: string; for: string; label: string; share: number }
export interface Hint { move: Move; score: Evaluation | null; line: string[]; source: string | null }

export interface RecordSummary {
  id: string;
  series: string;
  kind: "match" | "tournament" | "experiment" | "pages";
  variant: string;
  players: string[];
  points: number[];
  reason: string;
  fault: boolean;
  plies: number;
  finished_at: number;
  rated: boolean;
}
export interface Choice { value: string; games: number }
export interface SeriesChoice { id: number; kind: RecordSummary["kind"]; name: string; games: number }
/** What records can be filtered by. */
export interface RecordChoices {
  games: number;
  first: number | null;
  last: number | null;
  variants: Choice[];
  agents: Choice[];
  results: Choice[];
  faults: Choice[];
  series: SeriesChoice[];
}
/** Hundredths for the mover, or a forced result in plies. */
export type Score = number | { win_in: number } | { loss_in: number };
/** A move of a player, and what it cost. */
export interface RecordedMove {
  seat: number;
  ms: number;
  clock_ms: number | null;
  nodes: number;
  depth: number | null;
  score: Score | null;
  score_text: string | null;
}
export interface RecordList { records: RecordSummary[]; total: number }
export interface GameRecord extends RecordSummary {
  seats: string[];
  agents: string[];
  pace: string;
  start: string | null;
  moves: string[];
  /** How many of the moves are the opening's. */
  opening: number;
  /** The other moves. */
  details: RecordedMove[];
  sentence: string;
  offender: number | null;
  evidence: string | null;
  disturbed: boolean;
  resources: string | null;
  /** Where it was played, in words, if on another machine. */
  place: string | null;
  previous: string | null;
  next: string | null;
  text: string;
}

/** A game to review; `nodes` are searched in each position. */
export interface ReviewWanted {
  variant: string;
  start: string | null;
  moves: string[];
  /** How many of the moves nobody chose. */
  opening: number;
  nodes: number;
}
export type Judgement = "inaccuracy" | "mistake" | "blunder";
/** A position of a reviewed game, and the move that led to it. */
export interface ReviewedPly {
  /** Null at the start. */
  move: string | null;
  seat: number | null;
  /** What every seat can expect, from 0 to 1. */
  shares: number[];
  /** For the player to move; null if the game is over. */
  score: Score | null;
  exact: boolean;
  best: string | null;
  /** The best line, beginning with the best move. */
  line: string[];
  /** What the move cost its player; null if it was not a choice. */
  loss: number | null;
  accuracy: number | null;
  judgement: Judgement | null;
}
export interface PlayerReview {
  seat: number;
  accuracy: number | null;
  moves: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}
/** A part of a game, with the accuracy of every seat in it. */
export interface Phase { name: "opening" | "middle" | "end"; from: number; to: number; accuracy: (number | null)[] }
export interface Review {
  variant: string;
  start: string | null;
  agent: string;
  nodes: number;
  /** The names of the seats in texts for people. */
  seats: string[];
  /** From the start to the end. */
  plies: ReviewedPly[];
  players: PlayerReview[];
  phases: Phase[];
  /** From which position on the winner was clearly ahead. */
  decided_at: number | null;
}
/** A review, finished or not. */
export interface ReviewState { id: string; done: number; total: number; review: Review | null; problem: string | null }

/** How far an experiment is; `at_most` if tests may end before all games are played. */
export interface Progress {
  games: number;
  of_games: number;
  at_most: boolean;
  measurements: number;
  of_measurements: number;
  complete: boolean;
}
export interface ExperimentEntry {
  name: string;
  title: string;
  /** In a list only its first line. */
  question: string;
  /** Null if the file cannot be read any more; `problem` says why. */
  progress: Progress | null;
  problem: string | null;
  started_at: number;
  updated_at: number;
}
export interface ExperimentList { experiments: ExperimentEntry[] }
export interface Captioned { id: string; caption: string }
export interface Experiment extends ExperimentEntry {
  /** Changes with the results. */
  version: string;
  author: string | null;
  has_report: boolean;
  has_games: boolean;
  has_searches: boolean;
  /** Why the server prints no PDF, if it does not. */
  no_pdf: string | null;
  tables: Captioned[];
  figures: Captioned[];
}
export interface Sample { kind: string; about: string; text: string }

export interface Opponent { name: string; agent: string; words: string }
/** A rating above `above` earns `points`. */
export interface Threshold { above: number; points: number }
export interface Environment {
  id: string;
  name: string;
  group: string;
  description: string;
  variant: string;
  title: string;
  opponents: Opponent[];
  begins: "anybody" | "agent" | "opponent";
  ties: "share" | "lose";
  /** The score of each place, first place first. */
  points: number[];
  window: number;
  open_runs: number;
  abandon: boolean;
  thresholds: Threshold[];
  agents: number;
  finished: number;
  open: number;
  best: number | null;
}
export interface EnvironmentList { groups: { name: string; environments: Environment[] }[] }
export interface Ranked {
  rank: number;
  agent: string;
  best: number;
  current: number;
  runs: number;
  open: number;
  points: number;
  active_at: number | null;
}
export interface Begun { agent: string; runs: number; open: number; estimated: number | null; active_at: number | null }
export interface Leaderboard extends Environment { evaluated: Ranked[]; begun: Begun[] }
export interface CurvePoint { run: number; rating: number }
export interface FinishedRun { id: number; outcome: number; place: number | null; moves: number; finished_at: number }
export interface OpenRun { id: number; moves: number; updated_at: number }
export interface ContestAgent {
  agent: string;
  environment: string;
  name: string;
  points: number[];
  window: number;
  thresholds: Threshold[];
  evaluated: boolean;
  best: number | null;
  current: number | null;
  finished: number;
  earned: number;
  next: Threshold | null;
  curve: CurvePoint[];
  last: FinishedRun[];
  open: OpenRun[];
}
export interface Run {
  id: number;
  environment: string;
  name: string;
  agent: string;
  seat: number;
  players: { seat: string; name: string; words: string | null }[];
  variant: string;
  start: string | null;
  moves: Played[];
  finished: boolean;
  abandoned: boolean;
  outcome: number | null;
  place: number | null;
  sentence: string | null;
  updated_at: number;
}

/** A match or a tournament in a list. */
export interface TournamentEntry {
  name: string;
  kind: "tournament" | "match";
  format: "round-robin" | "gauntlet" | "swiss" | "contest" | "match";
  variants: string[];
  agents: number;
  games: number;
  planned: number;
  faults: number;
  state: "running" | "paused" | "finished" | "unfinished";
  started_at: number;
  finished_at: number | null;
}
/** `open`: everybody may begin one; else only those who know the server's secret. */
export interface TournamentList { tournaments: TournamentEntry[]; open: boolean }
export interface Estimate { value: number; low: number; high: number }
export interface AgentRow {
  number: number;
  rank: number;
  name: string;
  agent: string;
  group: number | null;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  points: number;
  byes: number;
  superiority: number | null;
  faults: number;
  withdrawn: boolean;
  retired: boolean;
  joined?: number;
  seconds_per_move: number;
  nodes_per_second: number | null;
  elo_interval: Estimate | null;
  rating_interval?: Estimate;
  /** Points and games against every agent, by rank; empty where there are very many. */
  against: [number, number][];
}
export interface Course { by_round: boolean; ratings: boolean; after: number[]; lines: (number | null)[][] }
export interface FaultLine { game: string; agent: string; against: string[]; reason: string; evidence: string | null; at: number }
export interface GameLine {
  game: string;
  round: number;
  variant: string;
  players: string[];
  points: number[];
  reason: string;
  plies: number;
  at: number;
}
export interface GameNow {
  number: number;
  round: number;
  variant: string;
  seats: string[];
  players: string[];
  to_move: number | null;
  plies: number;
  clocks: (number | null)[];
  scene: Scene;
  last: (Move & { seat: number }) | null;
  turn: number;
}
export interface Tournament extends TournamentEntry {
  hosted: boolean;
  elsewhere: boolean;
  /** Everybody may change it; else only those who know the server's secret. */
  open: boolean;
  problem: string | null;
  paces: string[];
  openings: string[];
  has_file: boolean;
  ends_at: number | null;
  games_per_minute: number | null;
  seats: number;
  rounds: number;
  ranking: string;
  shortfall: string | null;
  disturbed: number;
  mean_plies: number;
  first_seat: Estimate | null;
  standings: AgentRow[];
  course: Course;
  latest_faults: FaultLine[];
  latest_games: GameLine[];
  playing: GameNow[];
  playing_in_all: number;
}
export interface TournamentPlan { name: string; agents: number; games: number; at_a_time: number; seconds: number | null }

/** What a worker can do; `speed` is in nodes a second. */
export interface Abilities {
  version: string;
  signature: string;
  cores: number;
  memory_mib: number;
  isolation: string;
  takes_programs: boolean;
  own_programs: number;
  speed: number;
}
/** Games of one run that a worker is playing; `name` is missing if the run has no coordinator. */
export interface WorkerGames { run: string; name: string | null; games: number; seconds: number }
export interface WorkerRefusal { name: string | null; reason: string }
export interface Worker {
  id: string;
  name: string;
  abilities: Abilities;
  slots: number;
  playing: WorkerGames[];
  games: number;
  faults: number;
  troubles: number;
  seconds: number;
  games_per_hour: number;
  leaving: boolean;
  refused: WorkerRefusal[];
}
/** A tournament, a match or a part of an experiment that is played on many machines. */
export interface FleetRun {
  id: string;
  name: string;
  /** The tournament of this server with that name. */
  tournament: string | null;
  coordinator: string;
  done: number;
  games: number;
  waiting: number;
  workers: number;
  seconds_left: number | null;
  refused: number;
  /** The newest first. */
  warnings: string[];
}
/** Everyone who is there; of very many the first, but all are in the total. */
export interface Fleet {
  workers: Worker[];
  runs: FleetRun[];
  total: { workers: number; runs: number; slots: number; games_per_hour: number };
}
/** Who is there, or why nobody can be seen. */
export type FleetNews = Fleet | { away: string };

/** A move of an analysis. Node number i, from 1, is the i-th of the list; `parent` 0 is the start. */
export interface AnalysisNode {
  parent: number;
  move: string;
  comment?: string;
  sign?: string;
  /** Of the position after the move, for the player who made it. */
  score?: Score | null;
  depth?: number | null;
  exact?: boolean;
}
/** Moves that were tried, with variations and comments. Among siblings, the first is the main line. */
export interface Analysis {
  variant: string;
  start?: string | null;
  title?: string;
  names?: string[];
  opening?: number;
  comment?: string;
  nodes?: AnalysisNode[];
}
export interface StoredAnalysis { id: string; version: number; updated_at: number; mine?: boolean; token?: string; analysis: Analysis }
/** What is to be analysed. */
export interface AnalysisQuestion {
  number: number;
  variant: string;
  start: string | null;
  moves: string[];
  analysts: string[];
  values?: boolean;
  nodes?: number;
  secret?: string;
}
/** A line of moves and what it is worth. */
export interface AnalysisLine {
  score: Score | null;
  text: string;
  exact: boolean;
  /** What is proven, in words. */
  sentence: string | null;
  /** The expected share of a win of every seat, from 0 to 1. */
  shares: number[];
  moves: string[];
  /** The first route of every move. */
  routes: number[][];
}
export interface Analyst {
  at: number;
  agent: string;
  state: "waiting" | "searching" | "done";
  depth: number;
  nodes: number;
  nps: number;
  millis: number;
  source: string | null;
  problem: string | null;
  lines: AnalysisLine[];
}
/** What a move is worth to the player who makes it. */
export interface MoveValue { move: string; score: Score; text: string; share: number; exact: boolean }
export interface AnalysisAnswer {
  number: number;
  problem?: string;
  analysts: Analyst[];
  values?: { done: boolean; moves: MoveValue[] };
}
