import { createRng, type Rng } from "../tensor/rng";
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
import { ResetNeededError } from "./errors";
import { ActionSpace, ObservationSpace } from "./space";

/**
 * The rules of an environment as pure functions of a state that is plain JSON data.
 *
 * Sampling, enumeration and belief tracking all follow from these two functions, so they cannot disagree.
 */
export interface Game<State> {
  readonly spec: EnvSpec;
  /** Every start state with its probability; computed once. */
  start(): readonly Outcome<State>[];
  /** Every outcome of a turn. The state must not be changed. The action is inside the action space. */
  transition(state: State, action: Action): readonly Outcome<State>[];
  /** The hidden state as text, for `render` and transcripts. */
  render(state: State): string;
  actionClasses?(): readonly ActionClass[] | undefined;
  /** @see EnumerableEnv.returnBounds */
  returnBounds?(state: State): ReturnBounds | undefined;
}

/** An environment whose draws come from a game's named outcomes. */
export class GameEnv<State> implements EnumerableEnv<State> {
  readonly spec: EnvSpec;
  readonly actionSpace: ActionSpace;
  readonly observationSpace: ObservationSpace;
  readonly #game: Game<State>;
  readonly #starts: readonly Outcome<State>[];
  readonly #startLogProb: Float64Array;
  /** Shared by forks: the members of a group begin with one seed, and so with one start. */
  readonly #latest: { first?: FirstEpisode };
  #episodes: Rng;
  #episode = 0;
  #draws: { readonly of: Rng; readonly member: number; rng?: Rng };
  #state: State | undefined;
  #shown = "";
  #phase: "new" | "running" | "ended" = "new";

  constructor(
    game: Game<State>,
    starts = game.start(),
    startLogProb = logProbabilities(starts),
    latest: { first?: FirstEpisode } = {},
  ) {
    this.#game = game;
    this.#latest = latest;
    this.spec = game.spec;
    this.actionSpace = new ActionSpace(game.spec);
    this.observationSpace = new ObservationSpace(game.spec);
    this.#starts = starts;
    this.#startLogProb = startLogProb;
    this.#episodes = createRng(0);
    this.#draws = { of: this.#episodes, member: 0 };
  }

  start(): readonly Outcome<State>[] {
    return this.#starts;
  }

  transition(state: State, action: Action): readonly Outcome<State>[] {
    return this.#game.transition(state, action);
  }

  actionClasses(): readonly ActionClass[] | undefined {
    return this.#game.actionClasses?.();
  }

  returnBounds(state: State): ReturnBounds | undefined {
    return this.#game.returnBounds?.(state);
  }

  fork(): GameEnv<State> {
    return new GameEnv(this.#game, this.#starts, this.#startLogProb, this.#latest);
  }

  reset(options: ResetOptions = {}): [Observation, Info] {
    const member = options.member ?? 0;
    if (!Number.isSafeInteger(member) || member < 0) {
      throw new RangeError(`Cannot reset as member must be a whole number >= 0: current value is ${member}`);
    }
    const { episode, index } = this.#begin(options.seed);
    this.#draws = { of: episode, member };
    const outcome = this.#starts[index]!;
    this.#state = outcome.state;
    this.#shown = outcome.observation.text;
    this.#phase = "running";
    return [outcome.observation, { ...outcome.info, taskId: outcome.taskId ?? String(index) }];
  }

  #begin(seed: number | undefined): { episode: Rng; index: number } {
    if (seed === undefined) return this.#startOf(this.#episodes.split("episode", this.#episode++));
    if (this.#latest.first?.seed !== seed) {
      const episodes = createRng(seed);
      this.#latest.first = { seed, episodes, ...this.#startOf(episodes.split("episode", 0)) };
    }
    const { first } = this.#latest;
    this.#episodes = first.episodes;
    this.#episode = 1;
    return first;
  }

  #startOf(episode: Rng): { episode: Rng; index: number } {
    const single = this.#starts.length === 1;
    return { episode, index: single ? 0 : episode.split("start").categorical(this.#startLogProb) };
  }

  #draw(outcomes: readonly Outcome<State>[]): Outcome<State> {
    if (outcomes.length === 1) return outcomes[0]!;
    this.#draws.rng ??= this.#draws.of.split("member", this.#draws.member);
    return outcomes[this.#draws.rng.categorical(logProbabilities(outcomes))]!;
  }

  step(action: Action): StepResult {
    if (this.#phase !== "running") {
      throw new ResetNeededError(
        `Cannot step ${this.spec.id} as an episode must be running: ` +
          (this.#phase === "new" ? "reset was not called yet" : "the episode has ended, call reset"),
      );
    }
    if (!this.actionSpace.contains(action)) {
      throw new RangeError(
        `Cannot step ${this.spec.id} as the action must be in ${this.actionSpace.toString()}: current value is ${JSON.stringify(action)}`,
      );
    }
    const outcome = this.#draw(this.#game.transition(this.#state as State, action));
    this.#state = outcome.state;
    this.#shown = outcome.observation.text;
    if (outcome.terminated) this.#phase = "ended";
    return [outcome.observation, outcome.reward, outcome.terminated, false, outcome.info ?? {}];
  }

  render(): string {
    if (this.#phase === "new") return `${this.spec.id}: reset was not called yet`;
    return `${this.#game.render(this.#state as State)}\nagent sees: ${this.#shown}`;
  }

  close(): void {
    this.#phase = "new";
    this.#state = undefined;
  }
}

/** What a seed begins with. Its generators are only split, never drawn from, so that they can be shared. */
interface FirstEpisode {
  readonly seed: number;
  readonly episodes: Rng;
  readonly episode: Rng;
  readonly index: number;
}

function logProbabilities(outcomes: readonly Outcome<unknown>[]): Float64Array {
  return Float64Array.from(outcomes, (outcome) => Math.log(outcome.probability));
}
