import { spawn } from "node:child_process";
import path from "node:path";
import { createRng, type Env } from "turnwise";
import { WebSocket } from "ws";
import { patient } from "./patient.js";
import { root } from "./paths.js";

/** An answer of a server of OpenEnv, as far as tests read it. */
export interface Answer {
  readonly type: string;
  readonly data: {
    readonly observation: { readonly text: string; readonly tokens: readonly number[] };
    readonly reward: number | null;
    readonly done: boolean;
    readonly metadata?: Readonly<Record<string, unknown>>;
    readonly code?: string;
    readonly message?: string;
    readonly episode_id?: string;
    readonly step_count?: number;
  };
}

/** A client that no more than sends texts and keeps what comes back, in order. */
export class Client {
  readonly answers: Answer[] = [];
  readonly closed: Promise<number>;
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data: Buffer) => {
      this.answers.push(JSON.parse(data.toString()) as Answer);
      if (this.#waiting && this.answers.length >= this.#waiting.count) this.#waiting.resolve();
    });
    this.closed = new Promise((resolve) => socket.on("close", resolve));
  }

  static open(url: string, way = "/ws", headers: Record<string, string> = {}): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url.replace("http", "ws") + way, { headers });
      const client = new Client(socket);
      socket.once("open", () => resolve(client));
      socket.once("error", reject);
    });
  }

  /** Waits until so many answers have come. */
  has(count: number): Promise<void> {
    if (this.answers.length >= count) return Promise.resolve();
    return new Promise((resolve) => (this.#waiting = { count, resolve }));
  }

  async ask(message: unknown): Promise<Answer> {
    const before = this.answers.length;
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
    await this.has(before + 1);
    return this.answers[before]!;
  }

  close(): Promise<number> {
    this.socket.close();
    return this.closed;
  }
}

/** An episode of random turns: what `env` pays for it, and the turns as texts. */
export interface Played {
  readonly seed: number;
  readonly texts: readonly string[];
  /** Of the start and of each turn. */
  readonly seen: readonly string[];
  readonly rewards: readonly number[];
}

export function playRandomly(env: Env, seed: number): Played {
  const { vocabulary, endToken } = env.spec;
  const rng = createRng(seed).split("turns");
  const seen = [env.reset({ seed })[0].text];
  const texts: string[] = [];
  const rewards: number[] = [];
  for (let over = false; !over;) {
    const action = env.actionSpace.sample(rng);
    texts.push(
      action
        .filter((token) => token !== endToken)
        .map((token) => vocabulary[token]!)
        .join(" "),
    );
    const [observation, reward, terminated, truncated] = env.step(action);
    seen.push(observation.text);
    rewards.push(reward);
    over = terminated || truncated;
  }
  return { seed, texts, seen, rewards };
}

export interface Serving {
  readonly url: string;
  /** Asks it to end; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Runs `turnwise serve` as a process of its own, on a free port. */
export function startServing(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Serving> {
  const program = path.join(root, "lib", "turnwise", "bin", "turnwise.cjs");
  const child = spawn(process.execPath, [program, "serve", ...args, "--port", "0"], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let said = "";
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`turnwise serve did not begin in time: ${said}`));
    }, patient(30_000));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [, url] = /speaks OpenEnv at (\S+)\. /.exec(said) ?? [];
      if (url === undefined) return;
      clearTimeout(late);
      const stop = (): Promise<number | null> => {
        child.kill("SIGTERM");
        return ended;
      };
      resolve({ url, stop });
    });
    void ended.then((code) => {
      clearTimeout(late);
      reject(new Error(`turnwise serve ended with ${code}: ${said}`));
    });
  });
}
