import type { ErrorContent, Header, JsonObject, Message } from "../protocol/message.js";
import type { History } from "./history.js";
import type { InChannel, QueueHost, Transport } from "./host.js";
import { kernelInfo, type KernelFacts } from "./info.js";
import { inspection } from "./inspection.js";
import { plainError } from "./running-cell.js";
import { CellQueue } from "./queue.js";
import { yieldToEventLoop } from "./yieldToEventLoop.js";
import { toCharacters, toUtf16Offset } from "./text.js";

type Handler = (channel: InChannel, message: Message) => JsonObject | Promise<JsonObject | undefined>;

/** Everything that the kernel needs of where it runs. */
export interface KernelHost extends QueueHost {
  readonly transport: Transport;
  readonly history: History;
  facts(): KernelFacts;
  /** The kernel has ended. */
  exit(code: number): void;
}

/** Routes requests: cells go to the queue, everything else is answered immediately, even while a cell runs. */
export class Kernel {
  private readonly sockets: Transport;
  private readonly queue: CellQueue;
  private ending: Promise<void> | undefined;

  constructor(private readonly host: KernelHost) {
    this.sockets = host.transport;
    this.queue = new CellQueue(host, host.history, {
      publish: (msgType, content, parent, o) => this.sockets.publish(msgType, content, parent, o),
      reply: (request, content) => this.sockets.reply("shell", request, "execute_reply", content),
      askInput: (request, prompt, password) =>
        this.sockets.reply("stdin", request, "input_request", { prompt, password }),
    });
  }

  async start(): Promise<void> {
    await this.sockets.bind();
    this.sockets.listen((channel, message) => this.onMessage(channel, message));
    this.sockets.publish("status", { execution_state: "starting" }, {});
  }

  interrupt(): void {
    this.queue.interrupt();
  }

  /** Ends the session and the process; used by shutdown requests, signals and the loss of the parent. */
  end(code: number, o: { now?: boolean } = {}): Promise<void> {
    this.ending ??= (async () => {
      await this.queue.stop(o);
      await Promise.race([this.sockets.close(), new Promise((resolve) => setTimeout(resolve, 1_000))]);
      this.host.exit(code);
    })();
    return this.ending;
  }

  private onMessage(channel: InChannel, message: Message): void {
    if (channel === "stdin") {
      if (message.header.msg_type === "input_reply") this.queue.input(String(message.content.value ?? ""));
      return;
    }
    const type = message.header.msg_type;
    if (type === "execute_request") {
      this.queue.add(message);
      return;
    }
    const handler = Object.hasOwn(this.handlers, type) ? this.handlers[type] : undefined;
    // An unknown request gets no reply, only its status: a later protocol may define one.
    void this.answer(channel, message, handler);
  }

  private async answer(channel: InChannel, message: Message, handler: Handler | undefined): Promise<void> {
    const parent = message.header;
    this.sockets.publish("status", { execution_state: "busy" }, parent);
    try {
      const content = await handler?.(channel, message);
      if (content)
        this.sockets.reply(channel, message, parent.msg_type.replace(/_request$/, "_reply"), content);
    } catch (error) {
      const { ename, evalue, traceback } = asError(error);
      if (handler && parent.msg_type.endsWith("_request")) {
        const content = { status: "error", ename, evalue, traceback };
        this.sockets.reply(channel, message, parent.msg_type.replace(/_request$/, "_reply"), content);
      }
      this.host.log(`turnwise kernel: ${parent.msg_type}: ${evalue}\n`);
    }
    this.idle(parent);
  }

  private idle(parent: Header): void {
    this.sockets.publish("status", { execution_state: "idle" }, parent);
    // A front end shows the last state it received: the running cell must not look idle.
    const { running } = this.queue;
    if (running) this.sockets.publish("status", { execution_state: "busy" }, running);
  }

  /** A widget waits for the idle status before it sends more, so it gets it immediately, even while the session computes. */
  private async passOn(message: Message): Promise<undefined> {
    await this.queue.comm(message);
    return undefined;
  }

  private readonly handlers: Partial<Record<string, Handler>> = {
    kernel_info_request: () => kernelInfo(this.host.facts()),
    create_subshell_request: () => noSubshells,
    delete_subshell_request: () => noSubshells,
    list_subshell_request: () => ({ status: "ok", subshell_id: [] }),
    interrupt_request: () => {
      this.interrupt();
      return { status: "ok" };
    },
    shutdown_request: (_channel, { content }) => {
      const restart = Boolean(content.restart);
      yieldToEventLoop(() => void this.end(0));
      return { status: "ok", restart };
    },
    history_request: (_channel, { content }) => {
      const found = this.host.history.query(content);
      const history = content.output ? found.map(([s, l, source]) => [s, l, [source, null]]) : found;
      return { status: "ok", history };
    },
    comm_info_request: (_channel, { content }) => ({
      status: "ok",
      comms: this.queue.comms.info(content.target_name),
    }),
    comm_open: (_channel, message) => this.passOn(message),
    comm_msg: (_channel, message) => this.passOn(message),
    comm_close: (_channel, message) => this.passOn(message),
    complete_request: async (_channel, { content }) => {
      const code = text(content.code);
      const offset = toUtf16Offset(code, position(content.cursor_pos, code));
      const found = await this.host.types.ask("complete", { code, offset });
      if (found.open !== undefined) {
        const typed = code.slice(found.start, found.end);
        const known = new Set(found.items.map((item) => item.text));
        const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
        for (const name of await this.queue.members(found.open)) {
          if (!known.has(name) && name.startsWith(typed) && identifier.test(name))
            found.items.push({ text: name, kind: "property" });
        }
      }
      const start = toCharacters(code, found.start);
      const end = toCharacters(code, found.end);
      return {
        status: "ok",
        matches: found.items.map((item) => item.text),
        cursor_start: start,
        cursor_end: end,
        metadata: {
          _jupyter_types_experimental: found.items.map((item) => ({
            text: item.text,
            type: item.kind,
            start,
            end,
          })),
        },
      };
    },
    inspect_request: async (_channel, { content }) => {
      const code = text(content.code);
      const offset = toUtf16Offset(code, position(content.cursor_pos, code));
      const info = await this.host.types.ask("inspect", { code, offset });
      if (!info) return { status: "ok", found: false, data: {}, metadata: {} };
      return {
        status: "ok",
        found: true,
        data: inspection(info),
        metadata: {},
      };
    },
    debug_request: (_channel, { content }) => this.queue.debug(content),
    is_complete_request: (_channel, { content }) =>
      this.host.types.ask("isComplete", { code: text(content.code) }),
  };
}

/** Cells share one thread and one set of variables; what a front end asks beside them is answered while they run. */
const noSubshells: JsonObject = {
  status: "error",
  ...plainError(
    "NotImplementedError",
    "Cannot open or close a subshell: this kernel has none. It answers everything but cells while a cell runs.",
  ),
};

function text(value: unknown): string {
  if (typeof value !== "string") {
    throw new TypeError(`Cannot read the request: code must be a string, got ${typeof value}.`);
  }
  return value;
}

function position(value: unknown, code: string): number {
  return typeof value === "number" && Number.isFinite(value) ? value : code.length;
}

function asError(error: unknown): ErrorContent {
  const known = error instanceof Error ? error : new Error(String(error));
  return { ename: known.name, evalue: known.message, traceback: [`${known.name}: ${known.message}`] };
}
