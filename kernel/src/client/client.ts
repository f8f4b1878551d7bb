import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  buildMessage,
  newMessageId,
  type ErrorContent,
  type JsonObject,
  type Message,
} from "../protocol/message.js";
import { userName } from "../protocol/user-name.js";
import { DisplayIndex, OutputCollector, type NbformatOutput } from "../protocol/outputs.js";
import { openSockets } from "./channels.js";
import type { Connect, Handlers, OpenChannels, OutChannel, RequestChannel } from "./channels.js";
import { KernelProcess } from "./process.js";
import { Replies } from "./replies.js";

/** Options of starting a kernel. */
export interface StartOptions {
  /** The folder in which the cells run; imports resolve from it. */
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** The command of another kernel, with `{connection_file}` as placeholder; default: this package's kernel. */
  kernelArgv?: readonly string[];
  /** Default: Unix sockets where there are any. */
  transport?: "tcp" | "ipc";
  /** Encrypts all sockets with CurveZMQ. */
  encrypted?: boolean;
  /** Time that the kernel may take to answer its first request; default 30 s. */
  startTimeoutMs?: number;
}

/** Options of running a cell. */
export interface ExecuteOptions {
  silent?: boolean;
  storeHistory?: boolean;
  stopOnError?: boolean;
  userExpressions?: Record<string, string>;
  /** Answers a cell's questions; with it, `allowStdin` defaults to true. */
  onInput?(prompt: string, password: boolean): string | Promise<string>;
  allowStdin?: boolean;
  /** Sees each IOPub message of this cell as it comes, also those that come after the cell has ended. */
  onMessage?(message: Message): void;
  /** Rejects when the cell has not ended by then; default: no limit. */
  timeoutMs?: number;
  metadata?: JsonObject;
}

/** The outcome of a cell. */
export interface ExecuteResult {
  status: "ok" | "error" | "aborted";
  executionCount: number;
  /** As a notebook stores them. Late output and later updates of a display still change this array. */
  outputs: NbformatOutput[];
  error?: ErrorContent;
  reply: Message;
}

interface Listener {
  onIopub(message: Message): void;
  onInput?(message: Message): void;
}

const entry = resolve(__dirname, "../front/main.js");

/**
 * Starts a kernel and waits until it answers and its output arrives.
 *
 * @throws {Error} if the kernel ends or stays silent instead; the message carries what it wrote on stderr.
 */
export async function startKernel(o: StartOptions): Promise<KernelClient> {
  const argv = o.kernelArgv ?? [process.execPath, entry, "{connection_file}"];
  const kernel = await KernelProcess.prepare(argv, o);
  const client = new KernelClient(kernel);
  try {
    await client.launch(o.startTimeoutMs ?? 30_000);
  } catch (error) {
    await client.kill();
    throw error;
  }
  return client;
}

/** Talks to one kernel over its five sockets, as a notebook server would. */
export class KernelClient {
  /** The kernel's process, sockets and key; a second client could connect with them. */
  readonly process: KernelProcess;
  private readonly session = randomUUID();
  private readonly channels: OpenChannels;
  private readonly replies = new Replies();
  private readonly listeners = new Map<string, Listener>();
  private readonly iopubListeners = new Set<(message: Message) => void>();
  private readonly displays = new DisplayIndex();
  private closed = false;

  constructor(process: KernelProcess, connect: Connect = openSockets) {
    this.process = process;
    const onReply = (message: Message): void => this.replies.settle(message.parent.msg_id ?? "", message);
    const handlers: Handlers = {
      shell: onReply,
      control: onReply,
      iopub: (message) => this.onIopub(message),
      stdin: (message) => this.listeners.get(message.parent.msg_id ?? "")?.onInput?.(message),
    };
    this.channels = connect(process.info, this.session, handlers);
  }

  /** The process id of the kernel. */
  get pid(): number {
    return this.process.pid;
  }

  /** Starts the process and waits until it answers; `startKernel` and a restart call it. */
  async launch(timeoutMs: number): Promise<void> {
    this.process.launch(() => this.failPending());
    let heard = false;
    const stop = this.onMessage(() => {
      heard = true;
    });
    try {
      await this.request("shell", "kernel_info_request", {}, { timeoutMs });
      // Nothing may be printed before the subscription stands; a kernel without a welcome message needs a nudge.
      const deadline = Date.now() + timeoutMs;
      while (!heard) {
        await sleep(5);
        if (heard) break;
        if (Date.now() > deadline) throw new Error("Cannot use the kernel: its IOPub channel is silent.");
        await this.request("shell", "kernel_info_request", {}, { timeoutMs });
      }
    } finally {
      stop();
    }
  }

  /** Subscribes to every IOPub message of the kernel; returns a function that unsubscribes. */
  onMessage(listener: (message: Message) => void): () => void {
    this.iopubListeners.add(listener);
    return () => this.iopubListeners.delete(listener);
  }

  /** Sends a request without waiting for its reply. Returns the message id. */
  send(
    channel: OutChannel,
    msgType: string,
    content: JsonObject,
    o: {
      buffers?: Buffer[];
      metadata?: JsonObject;
      parent?: Partial<Message["header"]>;
      subshellId?: string;
    } = {},
  ): string {
    const message = buildMessage(msgType, content, { ...o, session: this.session, username: userName() });
    if (o.subshellId !== undefined) message.header.subshell_id = o.subshellId;
    this.channels.send(channel, message);
    return message.header.msg_id;
  }

  /** Sends raw frames; tests use it to send broken ones. */
  sendFrames(channel: OutChannel, frames: Buffer[]): void {
    this.channels.sendFrames(channel, frames);
  }

  /**
   * Sends a request and resolves with its reply.
   *
   * @throws {Error} if the reply does not come within `timeoutMs` (default 30 s) or the kernel ends.
   */
  async request(
    channel: RequestChannel,
    msgType: string,
    content: JsonObject,
    o: { buffers?: Buffer[]; metadata?: JsonObject; timeoutMs?: number; subshellId?: string } = {},
  ): Promise<Message> {
    const id = this.send(channel, msgType, content, o);
    return this.reply(id, msgType, o.timeoutMs ?? 30_000);
  }

  /** Resolves with the reply to a message that was sent with `send`. */
  reply(messageId: string, what = "the request", timeoutMs?: number): Promise<Message> {
    if (!this.closed && this.process.running) return this.replies.wait(messageId, what, timeoutMs);
    return Promise.reject(
      new Error(`Cannot get a reply to ${what}: the kernel is not running: ${this.process.ending}`),
    );
  }

  /** Runs a cell and resolves when both its reply and its idle status have arrived. */
  async execute(code: string, o: ExecuteOptions = {}): Promise<ExecuteResult> {
    const id = this.send(
      "shell",
      "execute_request",
      {
        code,
        silent: o.silent ?? false,
        store_history: o.storeHistory ?? !o.silent,
        user_expressions: o.userExpressions ?? {},
        allow_stdin: o.allowStdin ?? o.onInput !== undefined,
        stop_on_error: o.stopOnError ?? true,
      },
      { metadata: o.metadata },
    );
    const collector = new OutputCollector(this.displays);
    let onIdle: () => void = () => undefined;
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
    });
    // The listener stays after the end: a timer may still print, and its output belongs to this cell.
    this.listeners.set(id, {
      onIopub: (message) => {
        collector.accept(message);
        o.onMessage?.(message);
        if (message.header.msg_type === "status" && message.content.execution_state === "idle") onIdle();
      },
      onInput: (message) => {
        void Promise.resolve(
          o.onInput?.(String(message.content.prompt), Boolean(message.content.password)) ?? "",
        ).then((value) =>
          this.send("stdin", "input_reply", { status: "ok", value }, { parent: message.header }),
        );
      },
    });
    const reply = await this.reply(id, "execute_request", o.timeoutMs);
    await this.orKernelEnd(idle, o.timeoutMs);
    const content = reply.content;
    const status = content.status as ExecuteResult["status"];
    return {
      status,
      executionCount: Number(content.execution_count ?? 0),
      outputs: collector.outputs,
      ...(status === "error" && {
        error: {
          ename: String(content.ename),
          evalue: String(content.evalue),
          traceback: (content.traceback ?? []) as string[],
        },
      }),
      reply,
    };
  }

  /** Asks the kernel to stop the running cell; resolves when it has acknowledged. */
  async interrupt(): Promise<void> {
    await this.request("control", "interrupt_request", {});
  }

  /** The time in milliseconds that the heartbeat channel takes to echo. */
  heartbeat(timeoutMs = 5_000): Promise<number> {
    return this.channels.heartbeat(timeoutMs);
  }

  /** Shuts the kernel down, by force after 5 s. With `restart`, a new one takes its place behind this client. */
  async shutdown(o: { restart?: boolean } = {}): Promise<void> {
    const restart = o.restart ?? false;
    if (this.process.running) {
      await this.request("control", "shutdown_request", { restart }, { timeoutMs: 5_000 }).catch(
        () => undefined,
      );
      if (!(await this.process.waitForExit(5_000))) {
        this.process.kill();
        await this.process.waitForExit(5_000);
      }
    }
    if (restart) await this.launch(30_000);
    else this.close();
  }

  /** Kills the kernel and frees everything. */
  async kill(): Promise<void> {
    this.process.kill();
    await this.process.waitForExit(5_000);
    this.close();
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    this.failPending();
    this.channels.close();
    this.process.cleanUp();
  }

  private onIopub(message: Message): void {
    for (const listener of this.iopubListeners) listener(message);
    this.listeners.get(message.parent.msg_id ?? "")?.onIopub(message);
  }

  private orKernelEnd(wanted: Promise<void>, timeoutMs?: number): Promise<void> {
    const key = newMessageId();
    const end = this.reply(key, "the cell's idle status", timeoutMs);
    return Promise.race([wanted, end.then(() => undefined)]).finally(() => {
      this.replies.settle(key, {} as Message);
    });
  }

  private failPending(): void {
    this.replies.giveUp(new Error(`Cannot get a reply: the kernel is not running: ${this.process.ending}`));
  }
}
