import { createRng, type Rng } from "turnwise/internal/base/rng";
import type {
  Action,
  Env,
  EnvSpec,
  Info,
  Observation,
  ResetOptions,
  StepResult,
} from "turnwise/internal/env/env";
import { ResetNeededError } from "turnwise/internal/env/errors";
import { ActionSpace, ObservationSpace } from "turnwise/internal/env/space";
import { isRecord } from "../wire/shapes";
import { Unanswered, type Bridge } from "../node/bridge";
import type { Dialect } from "./dialect";

type Json = Readonly<Record<string, unknown>>;

/** An answer of the server, as an environment tells it. */
interface Told {
  readonly observation: Observation;
  readonly info: Info;
  readonly reward: number;
  readonly done: boolean;
}

/** A server refused, or did not answer. */
export class OpenEnvError extends Error {
  override readonly name = "OpenEnvError";

  constructor(
    message: string,
    /** OpenEnv's code, such as "CAPACITY_REACHED"; undefined where no answer came. */
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/** A world that a server plays: each copy is a session there. */
export class RemoteEnv implements Env {
  readonly spec: EnvSpec;
  readonly actionSpace: ActionSpace;
  readonly observationSpace: ObservationSpace;
  /** The number of the connection; undefined while there is none. */
  #connection: number | undefined;
  #episodes: Rng = createRng(0);
  #episode = 0;
  #turn = 0;
  #running = false;
  #shown = "reset was not called yet";

  constructor(
    private readonly url: string,
    private readonly bridge: Bridge,
    private readonly dialect: Dialect,
  ) {
    this.spec = dialect.spec;
    this.actionSpace = new ActionSpace(this.spec);
    this.observationSpace = new ObservationSpace(this.spec);
  }

  reset({ seed, member = 0, options = {} }: ResetOptions = {}): [Observation, Info] {
    if (!Number.isSafeInteger(member) || member < 0) {
      throw new RangeError(`Cannot reset: member must be an integer >= 0, got ${member}.`);
    }
    const used = this.#seedOf(seed);
    this.#running = false;
    const data = { ...this.dialect.reset, ...options, seed: used, ...(this.dialect.members && { member }) };
    const { observation, info } = this.#begun({ type: "reset", data });
    this.#turn = 0;
    this.#running = true;
    return [observation, info];
  }

  step(action: Action): StepResult {
    if (!this.#running) {
      throw new ResetNeededError(`Cannot step ${this.spec.id}: an episode must be running. Call reset.`);
    }
    if (!this.actionSpace.contains(action)) {
      throw new RangeError(
        `Cannot step ${this.spec.id}: the action must be in ${this.actionSpace.toString()}, got ${JSON.stringify(action)}.`,
      );
    }
    const { observation, info, reward, done } = this.#told("step", {
      type: "step",
      data: this.dialect.action(action),
    });
    this.#turn++;
    const late = !done && this.#turn >= this.spec.maxTurns;
    const cut = late || (done && info.truncated === true);
    this.#running = !done && !cut;
    if (!this.#running) this.#giveBack();
    return [observation, reward, done && !cut, cut, info];
  }

  render(): string {
    return `${this.spec.id} at ${this.url}, turn ${this.#turn} of ${this.spec.maxTurns}\nagent sees: ${this.#shown}`;
  }

  close(): void {
    this.#running = false;
    this.#giveBack();
    this.bridge.end();
  }

  fork(): RemoteEnv {
    return new RemoteEnv(this.url, this.bridge, this.dialect);
  }

  #seedOf(seed: number | undefined): number {
    if (seed !== undefined) {
      this.#episodes = createRng(seed);
      this.#episode = 1;
      return seed;
    }
    return this.#episodes.split("episode", this.#episode++).below(4294967296);
  }

  /** The first answer of an episode. On a connection that has rested the server may have ended the session: then on another. */
  #begun(message: Json): Told {
    for (;;) {
      this.#connection ??= this.bridge.idle();
      const rested = this.#connection !== undefined;
      const socket = `${this.url.replace(/^http/, "ws")}/ws`;
      this.#connection ??= this.#call("reset", () => this.bridge.connect(socket));
      try {
        return this.#told("reset", message);
      } catch (error) {
        if (!rested || this.#connection !== undefined) throw error;
      }
    }
  }

  /** Without an episode, no session is needed: copies that have played take no room on the server. */
  #giveBack(): void {
    if (this.#connection !== undefined) this.bridge.giveBack(this.#connection);
    this.#connection = undefined;
  }

  #drop(): void {
    this.#running = false;
    if (this.#connection !== undefined) this.bridge.drop(this.#connection);
    this.#connection = undefined;
  }

  #told(doing: "reset" | "step", message: Json): Told {
    const answer = this.#call(doing, () =>
      this.bridge.call({ kind: "ask", connection: this.#connection!, message }),
    );
    const data = isRecord(answer) ? answer.data : undefined;
    if (!isRecord(answer) || !isRecord(data))
      throw this.#refused(doing, "it must be an object with data", undefined);
    if (answer.type === "error") {
      // Where a session cannot be had, or has ended, the next reset opens another one.
      if (["CAPACITY_REACHED", "FACTORY_ERROR", "SESSION_ERROR"].includes(String(data.code))) this.#drop();
      throw this.#refused(doing, String(data.message), String(data.code));
    }
    const { observation, reward, done, metadata } = data;
    const payable = reward === null || reward === undefined || Number.isFinite(reward);
    if (!isRecord(observation) || !payable || typeof done !== "boolean") {
      throw this.#refused(doing, "it must hold an observation, a finite reward or none, and done", undefined);
    }
    const seen = this.dialect.observe(observation);
    if (!this.observationSpace.contains(seen)) {
      const { vocabulary, observationVocabulary } = this.spec;
      const last = vocabulary.length + observationVocabulary.length - 1;
      throw this.#refused(
        doing,
        `its observation must have a text and a list of tokens from 0 to ${last}`,
        undefined,
      );
    }
    this.#shown = seen.text;
    const info = isRecord(metadata) ? metadata : {};
    return { observation: seen, info, reward: (reward as number | null | undefined) ?? 0, done };
  }

  #call<T>(doing: string, call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (error.lost) {
        this.#drop();
      }
      const then = error.lost && doing === "step" ? ". The episode is lost. Call reset." : "";
      throw new OpenEnvError(
        `Cannot ${doing} ${this.spec.id}: ${this.url} does not answer: ${error.message}${then}`,
        undefined,
      );
    }
  }

  #refused(doing: string, said: string, code: string | undefined): OpenEnvError {
    const by = code === undefined ? "" : ` (${code})`;
    return new OpenEnvError(`Cannot ${doing} ${this.spec.id}: ${this.url} refuses: ${said}${by}`, code);
  }
}
