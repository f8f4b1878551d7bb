import type { Action, Env, EnvSpec, Info, Observation } from "turnwise/internal/env/env";
import { Refusal } from "../wire/refusal";
import { actionShape, expectShape, resetShape, type ActionData, type WireObservation } from "../wire/shapes";
import type { Toolbox } from "./tools";
import type { Read, TurnReader } from "./turnReader";

/** Reply that a client gets for a reset or a turn. */
export interface Reply {
  readonly observation: WireObservation;
  readonly reward: number | null;
  readonly done: boolean;
  /** For the trainer: no part of it is meant for the agent. */
  readonly metadata?: Info;
}

/** Parts that the sessions of one world share. */
export interface WorldParts {
  readonly spec: EnvSpec;
  readonly reader: TurnReader;
  readonly toolbox: Toolbox;
  /** Turn that replaces a text that is no turn, in worlds that have such a turn. */
  readonly malformed: Action | undefined;
}

/** One client's episodes in a world of its own, in the words of OpenEnv. */
export class WorldSession {
  readonly #env: Env;
  readonly #parts: WorldParts;
  readonly #nextSeed: () => number;
  readonly #nextName: () => string;
  #episode: string | null = null;
  #steps = 0;
  #return = 0;
  #done = false;
  #seen: Observation = { tokens: [], text: "" };

  /** @param nextSeed the seed of an episode for which the client gives none */
  constructor(env: Env, parts: WorldParts, nextSeed: () => number, nextName: () => string) {
    this.#env = env;
    this.#parts = parts;
    this.#nextSeed = nextSeed;
    this.#nextName = nextName;
  }

  reset(data: unknown): Reply {
    const { seed, episode_id, member = 0 } = expectShape("reset", resetShape, data ?? {});
    const used = seed ?? this.#nextSeed();
    const [observation, info] = this.#env.reset({ seed: used, member });
    this.#episode = episode_id ?? this.#nextName();
    this.#steps = this.#return = 0;
    this.#done = false;
    this.#seen = observation;
    return {
      observation: wire(observation),
      reward: null,
      done: false,
      metadata: { ...told(info), episode_id: this.#episode, seed: used, member },
    };
  }

  /** @throws {Refusal} if the action has not the shape of one, or no episode is running */
  step(data: unknown): Reply {
    const action = expectShape("step", actionShape, data);
    if ("type" in action && action.type === "list_tools") return this.#tools();
    this.#expectRunning();
    if ("type" in action) return this.callTool(action.tool_name, action.arguments ?? {});
    return this.#turn(this.#read(action));
  }

  /** A mistake in a call costs a turn, as any other text that is none. */
  callTool(name: string, given: Readonly<Record<string, unknown>>): Reply {
    this.#expectRunning();
    const turn = this.#parts.toolbox.turn(name, given);
    const reply = this.#turn(turn);
    const error = turn.mistake && { error_type: turn.mistake, message: "unread" in turn ? turn.unread : "" };
    return {
      ...reply,
      observation: {
        ...reply.observation,
        tool_name: name,
        result: reply.observation.text,
        error: error ?? null,
      },
    };
  }

  state(): Readonly<Record<string, unknown>> {
    const { id, maxTurns } = this.#parts.spec;
    return {
      ...{ episode_id: this.#episode, step_count: this.#steps },
      ...{ world: id, max_turns: maxTurns, return: this.#return, done: this.#done },
    };
  }

  close(): void {
    this.#env.close();
  }

  #tools(): Reply {
    const tools = this.#parts.toolbox.list.map(({ inputSchema, ...rest }) => ({
      ...rest,
      input_schema: inputSchema,
    }));
    return { observation: { ...wire(this.#seen), tools }, reward: null, done: this.#done };
  }

  #read(action: Exclude<ActionData, { readonly type: string }>): Read {
    if ("text" in action) return this.#parts.reader.read(action.text);
    const given = action.tokens.slice(0, 20).join();
    if (this.#env.actionSpace.contains(action.tokens)) return { action: action.tokens };
    throw new Refusal(
      "VALIDATION_ERROR",
      `Cannot step: tokens must be in ${this.#env.actionSpace.toString()}, got [${given}].`,
    );
  }

  #expectRunning(): void {
    if (this.#episode !== null && !this.#done) return;
    const now = this.#done ? "the episode has ended, send reset" : "reset was not sent yet";
    throw new Refusal(
      "EXECUTION_ERROR",
      `Cannot step ${this.#parts.spec.id}: an episode must be running: ${now}.`,
    );
  }

  #turn(read: Read): Reply {
    if (!("unread" in read)) return this.#take(read.action);
    const { malformed } = this.#parts;
    return malformed ? this.#take(malformed, read.unread) : this.#idle(read.unread);
  }

  #take(action: Action, unread?: string): Reply {
    const [observation, reward, terminated, cut, info] = this.#env.step(action);
    if (!Number.isFinite(reward)) {
      throw new Refusal("EXECUTION_ERROR", `Cannot pay a turn: its reward must be finite, got ${reward}.`);
    }
    this.#steps++;
    this.#return += reward;
    const used = this.#steps >= this.#parts.spec.maxTurns;
    this.#done = terminated || cut || used;
    const explains = unread !== undefined && !this.#done;
    this.#seen = explains ? { ...observation, text: `${observation.text}; ${unread}` } : observation;
    return this.#reply(reward, !terminated && this.#done, told(info), unread);
  }

  /** A text that was no turn, in a world without a format: the world waits, and the turn is gone. */
  #idle(unread: string): Reply {
    this.#steps++;
    this.#done = this.#steps >= this.#parts.spec.maxTurns;
    this.#seen = { ...this.#seen, text: `error: ${unread}` };
    return this.#reply(0, this.#done, { call: "malformed" }, unread);
  }

  #reply(reward: number, truncated: boolean, info: Info, unread: string | undefined): Reply {
    const metadata = { ...info, ...(truncated && { truncated }), ...(unread !== undefined && { unread }) };
    return { observation: wire(this.#seen), reward, done: this.#done, metadata };
  }
}

function wire({ tokens, text, agent }: Observation): WireObservation {
  return { text, tokens: [...tokens], ...(agent !== undefined && { agent }) };
}

/** The answer that the verifier wants stays here: clients write observations and all that comes with them into prompts. */
function told({ gold: _gold, ...info }: Info): Info {
  return info;
}
