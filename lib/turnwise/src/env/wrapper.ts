import { displaySymbol, type MimeBundle } from "../base/display";
import { envCard } from "./card";
import {
  type Played,
  isEnumerable,
  type Action,
  type ActionClass,
  type Env,
  type EnvSpec,
  type Info,
  type Observation,
  type Outcome,
  type ResetOptions,
  type ReturnBounds,
  type Space,
  type StepResult,
} from "./env";
import { ResetNeededError } from "./errors";
import { GameEnv } from "./game";

/** Passes everything on to the wrapped environment; enumerable if that one is. Subclasses override what they change. */
export class Wrapper implements Env {
  /** Every start state with its probability; only where the wrapped environment can be enumerated. */
  start?: () => readonly Outcome<unknown>[];
  /** Everything that may follow an action in a state, with its probability. */
  transition?: (state: unknown, action: Action) => readonly Outcome<unknown>[];
  /** Classes of actions with the same outcomes in every state. */
  actionClasses?: () => readonly ActionClass[] | undefined;
  /** Least and most return that is still possible from a state. */
  returnBounds?: (state: unknown) => ReturnBounds | undefined;
  state?: () => unknown;
  restore?: (state: unknown) => void;
  afterUpdate?: (played?: readonly Played[]) => void;

  constructor(readonly inner: Env) {
    if (inner.state) this.state = () => inner.state!();
    if (inner.restore) this.restore = (state) => inner.restore!(state);
    if (inner.afterUpdate) this.afterUpdate = (played) => inner.afterUpdate!(played);
    if (!isEnumerable(inner)) return;
    this.start = () => inner.start();
    this.transition = (state, action) => inner.transition(state, action);
    this.actionClasses = () => inner.actionClasses?.();
    this.returnBounds = (state) => inner.returnBounds?.(state);
  }

  get spec(): EnvSpec {
    return this.inner.spec;
  }

  get observationSpace(): Space<Observation> {
    return this.inner.observationSpace;
  }

  get actionSpace(): Space<Action> {
    return this.inner.actionSpace;
  }

  reset(options?: ResetOptions): [Observation, Info] {
    return this.inner.reset(options);
  }

  step(action: Action): StepResult {
    return this.inner.step(action);
  }

  render(): string {
    return this.inner.render();
  }

  close(): void {
    this.inner.close();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return envCard(this)[displaySymbol]();
  }

  fork(): Env | undefined {
    const inner = this.inner.fork?.();
    return inner && this.rewrap(inner);
  }

  branch(stream: number): Env | undefined {
    const inner = this.inner.branch?.(stream);
    return inner && this.rewrapRunning(inner);
  }

  /**
   * This wrapper around a copy in the middle of the same episode, with all that it has noted of the episode.
   *
   * A subclass that does not say how to copy its notes cannot be branched: undefined.
   */
  protected rewrapRunning(inner: Env): Env | undefined {
    return Object.getPrototypeOf(this) === Wrapper.prototype ? new Wrapper(inner) : undefined;
  }

  /** This wrapper around another environment. */
  protected rewrap(inner: Env): Env {
    return new Wrapper(inner);
  }
}

class OrderEnforcing extends Wrapper {
  #running = false;
  #ended = false;

  protected override rewrap(inner: Env): Env {
    return new OrderEnforcing(inner);
  }

  override branch(stream: number): Env | undefined {
    this.#expectRunning("branch");
    return super.branch(stream);
  }

  protected override rewrapRunning(inner: Env): Env {
    const copy = new OrderEnforcing(inner);
    copy.#running = true;
    return copy;
  }

  #expectRunning(what: string): void {
    if (this.#running) return;
    throw new ResetNeededError(
      `Cannot ${what} ${this.spec.id}: no episode is running, ` +
        (this.#ended ? "the last one has ended. Call reset." : "reset was not called yet."),
    );
  }

  override reset(options?: ResetOptions): [Observation, Info] {
    const result = this.inner.reset(options);
    this.#running = true;
    this.#ended = false;
    return result;
  }

  override step(action: Action): StepResult {
    this.#expectRunning("step");
    const result = this.inner.step(action);
    if (result[2] || result[3]) {
      this.#running = false;
      this.#ended = true;
    }
    return result;
  }

  override close(): void {
    this.#running = this.#ended = false;
    super.close();
  }
}

/** Makes `step` throw `ResetNeededError` before `reset` and after the end, whatever the inner environment does. */
export function orderEnforcing(env: Env): Env {
  return new OrderEnforcing(env);
}

interface Limited {
  readonly inner: unknown;
  readonly turn: number;
}

class TimeLimit extends Wrapper {
  readonly #spec: EnvSpec;
  #turn = 0;

  constructor(inner: Env, maxTurns: number) {
    super(inner);
    this.#spec = { ...inner.spec, maxTurns, options: { ...inner.spec.options, maxTurns } };
    if (!isEnumerable(inner)) return;
    this.returnBounds = () => undefined; // the inner ones are those of the longer episode
    this.start = () =>
      inner
        .start()
        .map((outcome) => ({ ...outcome, state: { inner: outcome.state, turn: 0 } satisfies Limited }));
    this.transition = (state, action) => {
      const { inner: innerState, turn } = state as Limited;
      return inner.transition(innerState, action).map((outcome) => ({
        ...outcome,
        state: { inner: outcome.state, turn: turn + 1 } satisfies Limited,
        terminated: outcome.terminated || turn + 1 >= maxTurns,
      }));
    };
  }

  override get spec(): EnvSpec {
    return this.#spec;
  }

  protected override rewrap(inner: Env): Env {
    return new TimeLimit(inner, this.#spec.maxTurns);
  }

  protected override rewrapRunning(inner: Env): Env {
    const copy = new TimeLimit(inner, this.#spec.maxTurns);
    copy.#turn = this.#turn;
    return copy;
  }

  override reset(options?: ResetOptions): [Observation, Info] {
    this.#turn = 0;
    return this.inner.reset(options);
  }

  override step(action: Action): StepResult {
    const [observation, reward, terminated, truncated, info] = this.inner.step(action);
    this.#turn++;
    return [
      observation,
      reward,
      terminated,
      truncated || (!terminated && this.#turn >= this.#spec.maxTurns),
      info,
    ];
  }
}

/**
 * Truncates episodes after `maxTurns` turns. Enumeration treats the cut as the end of the episode.
 *
 * @throws {RangeError} if `maxTurns` is not from 1 to the environment's own
 */
export function timeLimit(env: Env, maxTurns: number): Env {
  if (!Number.isInteger(maxTurns) || maxTurns < 1 || maxTurns > env.spec.maxTurns) {
    throw new RangeError(
      `Cannot limit ${env.spec.id}: maxTurns must be an integer in [1, ${env.spec.maxTurns}], got ${maxTurns}.`,
    );
  }
  return orderEnforcing(new TimeLimit(env, maxTurns));
}

/**
 * Whether the outcomes of a state and a turn are the same for ever: true of games, and of what does no more to one than enforce
 * the order of calls or limit its turns.
 */
export function isSteady(env: Env): boolean {
  const { constructor, afterUpdate } = env;
  if (constructor === OrderEnforcing || constructor === TimeLimit) return isSteady((env as Wrapper).inner);
  return constructor === GameEnv && afterUpdate === undefined;
}

/** The game that an environment plays by nothing but its rules and the order of calls; undefined of any other. */
export function plainGame(env: Env): GameEnv<unknown> | undefined {
  const inner = env.constructor === OrderEnforcing ? (env as Wrapper).inner : env;
  // Somebody may watch or change what it does.
  if ([env, inner].some((x) => ["reset", "step", "fork"].some((name) => Object.hasOwn(x, name))))
    return undefined;
  return inner.constructor === GameEnv && isSteady(inner) ? (inner as GameEnv<unknown>) : undefined;
}

/** The environment without its wrappers. */
export function unwrapped(env: Env): Env {
  return env instanceof Wrapper ? unwrapped(env.inner) : env;
}
