import { displaySymbol, type MimeBundle } from "../base/display";
import { expectWhole } from "../base/expect";
import { createRng, type Rng } from "../base/rng";
import type {
  Action,
  ActionClass,
  EnumerableEnv,
  EnvSpec,
  Info,
  Observation,
  Outcome,
  ResetOptions,
  ReturnBounds,
  StepResult,
} from "./env";
import { envCard } from "./card";
import { ResetNeededError } from "./errors";
import { ActionSpace, ObservationSpace } from "./space";
import { logProbabilities, Transitions, type Turn } from "./transitions";

/**
 * The rules of an environment as pure functions of a state that is plain JSON data.
 *
 * Sampling, enumeration and belief tracking all follow from these two functions, so they cannot disagree.
 */
export interface Game<State> {
  readonly spec: EnvSpec;
  /** Every start state with its probability; computed once. */
  start(): readonly Outcome<State>[];
  /**
   * Every outcome of a turn, the same ones for the same state and action: they are kept and used again. The state must
   * not be changed. The action is inside the action space.
   */
  transition(state: State, action: Action): readonly Outcome<State>[];
  /** The hidden state as text, for `render` and transcripts. */
  render(state: State): string;
  /** Classes of actions with the same outcomes in every state, if there are any. */
  actionClasses?(): readonly ActionClass[] | undefined;
  /** @see EnumerableEnv.returnBounds */
  returnBounds?(state: State): ReturnBounds | undefined;
}

/**
 * An environment whose draws come from a game's named outcomes: the shortest way to one of your own.
 *
 * @example
 * import { checkEnv, GameEnv, optimalReturn, type Game } from "turnwise";
 *
 * const seen = { tokens: [2], text: "heads or tails?" };
 * const coin: Game<number> = {
 *   spec: {
 *     id: "BentCoin-v0",
 *     skill: "guess what comes up more often",
 *     vocabulary: ["heads", "tails"],
 *     observationVocabulary: ["coin"],
 *     maxTurns: 1,
 *     maxTokens: 1,
 *     options: {},
 *   },
 *   start: () =>
 *     [0.7, 0.3].map((probability, side) => ({
 *       probability,
 *       state: side,
 *       observation: seen,
 *       reward: 0,
 *       terminated: false,
 *     })),
 *   transition: (side, [guess]) => [
 *     { probability: 1, state: side, observation: seen, reward: guess === side ? 1 : 0, terminated: true },
 *   ],
 *   render: (side) => `the coin shows side ${side}`,
 * };
 * const env = new GameEnv(coin);
 * checkEnv(env);
 * optimalReturn(env).J; // => 0.7
 */
export class GameEnv<State> implements EnumerableEnv<State> {
  readonly spec: EnvSpec;
  readonly actionSpace: ActionSpace;
  readonly observationSpace: ObservationSpace;
  readonly #shared: Shared<State>;
  /** Of episodes without a seed; undefined before the first one. */
  #episodes: Rng | undefined;
  #episode = 0;
  /** Source from which the generator of the episode's draws is split, and the member it is for. */
  #of: Rng | undefined;
  #member = 0;
  #draws: Rng | undefined;
  /** Turns taken in this episode. */
  #turn = 0;
  #state: State | undefined;
  #shown = "";
  #phase: "new" | "running" | "ended" = "new";

  constructor(game: Game<State>, shared: Shared<State> = sharedBy(game)) {
    this.#shared = shared;
    this.spec = game.spec;
    this.actionSpace = shared.actionSpace;
    this.observationSpace = shared.observationSpace;
  }

  start(): readonly Outcome<State>[] {
    return this.#shared.starts;
  }

  transition(state: State, action: Action): readonly Outcome<State>[] {
    return this.#shared.game.transition(state, action);
  }

  actionClasses(): readonly ActionClass[] | undefined {
    return this.#shared.game.actionClasses?.();
  }

  returnBounds(state: State): ReturnBounds | undefined {
    return this.#shared.game.returnBounds?.(state);
  }

  fork(): GameEnv<State> {
    return new GameEnv(this.#shared.game, this.#shared);
  }

  reset(options: ResetOptions = {}): [Observation, Info] {
    const member = options.member ?? 0;
    if (!Number.isSafeInteger(member) || member < 0) {
      throw new RangeError(`Cannot reset: member must be an integer >= 0, got ${member}.`);
    }
    const { episode, index } = this.#begin(options.seed);
    this.#of = episode;
    this.#member = member;
    this.#draws = undefined;
    this.#turn = 0;
    const outcome = this.#shared.starts[index]!;
    this.#state = outcome.state;
    this.#shown = outcome.observation.text;
    this.#phase = "running";
    return [outcome.observation, { ...outcome.info, taskId: outcome.taskId ?? String(index) }];
  }

  /**
   * The episodes of this game, with the draws of `reset` and `step`, for those who play many side by side: an environment for
   * each would cost more than its turns.
   */
  episodes(): Episodes<State> {
    const own = this.fork();
    const { starts, transitions } = this.#shared;
    return {
      begin: (seed) => {
        const { episode, index } = own.#begin(seed);
        const outcome = starts[index]!;
        return { episode, outcome, taskId: outcome.taskId ?? String(index) };
      },
      turn: (state, tokens, from, count) => transitions.within(state, tokens, from, count),
    };
  }

  #begin(seed: number | undefined): { episode: Rng; index: number } {
    const shared = this.#shared;
    if (seed === undefined) {
      this.#episodes ??= createRng(0);
      return this.#startOf(this.#episodes.split("episode", this.#episode++));
    }
    if (shared.first?.seed !== seed) {
      const episodes = createRng(seed);
      shared.first = { seed, episodes, ...this.#startOf(episodes.split("episode", 0)) };
    }
    this.#episodes = shared.first.episodes;
    this.#episode = 1;
    return shared.first;
  }

  #startOf(episode: Rng): { episode: Rng; index: number } {
    const { starts, startLogProb } = this.#shared;
    return { episode, index: starts.length === 1 ? 0 : episode.split("start").categorical(startLogProb) };
  }

  step(action: Action): StepResult {
    this.#expectRunning("step");
    if (!this.actionSpace.contains(action)) {
      throw new RangeError(
        `Cannot step ${this.spec.id}: the action must be in ${this.actionSpace.toString()}, got ${JSON.stringify(action)}.`,
      );
    }
    const { outcomes, logProb } = this.#shared.transitions.of(this.#state as State, action);
    const outcome = outcomes[logProb ? this.#stream().categorical(logProb) : 0]!;
    this.#turn++;
    this.#state = outcome.state;
    this.#shown = outcome.observation.text;
    if (outcome.terminated) this.#phase = "ended";
    return [outcome.observation, outcome.reward, outcome.terminated, false, outcome.info ?? {}];
  }

  #stream(): Rng {
    return (this.#draws ??= this.#of!.split("member", this.#member));
  }

  #expectRunning(what: string): void {
    if (this.#phase === "running") return;
    throw new ResetNeededError(
      `Cannot ${what} ${this.spec.id}: no episode is running, ` +
        (this.#phase === "new" ? "reset was not called yet." : "the last one has ended. Call reset."),
    );
  }

  branch(stream: number): GameEnv<State> {
    this.#expectRunning("branch");
    expectWhole(`branch ${this.spec.id}`, "stream", stream, 0);
    const copy = this.fork();
    copy.#episodes = this.#episodes;
    copy.#episode = this.#episode;
    copy.#of = this.#of;
    copy.#member = this.#member;
    // A split depends on the name of a stream, not on what was drawn from it. The turn is part of the name, so that branches
    // of two turns with one number do not repeat each other.
    copy.#draws = this.#stream().split("branch", this.#turn, stream);
    copy.#turn = this.#turn;
    copy.#state = this.#state;
    copy.#shown = this.#shown;
    copy.#phase = "running";
    return copy;
  }

  render(): string {
    if (this.#phase === "new") return `${this.spec.id}: reset was not called yet`;
    return `${this.#shared.game.render(this.#state as State)}\nagent sees: ${this.#shown}`;
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return envCard(this)[displaySymbol]();
  }

  close(): void {
    this.#phase = "new";
    this.#state = undefined;
  }
}

/** Start and course of the episodes of a game. */
export interface Episodes<State = unknown> {
  /** The start of a seed. A member's own draws come from `episode.split("member", member)`. */
  begin(seed: number): { readonly episode: Rng; readonly outcome: Outcome<State>; readonly taskId: string };
  /** Outcomes that may follow a turn of `count` tokens, which start at `from` in an array. */
  turn(state: State, tokens: ArrayLike<number>, from: number, count: number): Turn<State>;
}

/** State that an environment and its forks share. */
interface Shared<State> {
  readonly game: Game<State>;
  readonly actionSpace: ActionSpace;
  readonly observationSpace: ObservationSpace;
  readonly starts: readonly Outcome<State>[];
  readonly startLogProb: Float64Array;
  readonly transitions: Transitions<State>;
  /** The members of a group begin with one seed, and so with one start. */
  first?: FirstEpisode;
}

/** First episode of a seed. Its generators are only split, never drawn from, so that they can be shared. */
interface FirstEpisode {
  readonly seed: number;
  readonly episodes: Rng;
  readonly episode: Rng;
  readonly index: number;
}

function sharedBy<State>(game: Game<State>): Shared<State> {
  const starts = game.start();
  return {
    game,
    actionSpace: new ActionSpace(game.spec),
    observationSpace: new ObservationSpace(game.spec),
    starts,
    startLogProb: logProbabilities(starts),
    transitions: new Transitions(game),
  };
}
