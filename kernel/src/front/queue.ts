import type { Header, JsonObject, Message } from "../protocol/message.js";
import type { Packet } from "../session/pipe.js";
import type { ExecuteCommand } from "../session/session.js";
import type { Prepared } from "../types/messages.js";
import { CommRegistry } from "./comm-registry.js";
import type { History } from "./history.js";
import type { SessionProcess } from "./session-process.js";
import { inspection } from "./inspection.js";
import { SpareSession } from "./spare-session.js";
import { Streams } from "./streams.js";
import type { TypeService } from "./type-service.js";

/** The three parts that make an error in the protocol. */
export interface CellError {
  ename: string;
  evalue: string;
  traceback: string[];
}

/** The ways out of the queue. */
export interface QueueOutlets {
  publish(
    msgType: string,
    content: JsonObject,
    parent: Partial<Header>,
    o?: { metadata?: JsonObject; buffers?: Buffer[] },
  ): void;
  reply(request: Message, content: JsonObject): void;
  askInput(request: Message, prompt: string, password: boolean): void;
}

interface RunningCell {
  request: Message;
  interrupted: boolean;
  /** When the interrupt was asked for; a cell that survives it for long gets an offer. */
  offer?: NodeJS.Timeout;
  offered: boolean;
  end(result: CellResult): void;
}

interface CellResult {
  error?: CellError;
  expressions?: JsonObject;
  /** What the front end shows beside the output: the answer to `name?`. */
  payload?: JsonObject[];
}

const offerAfterMs = 3_000;
// Late output names its cell; the headers of the last cells are kept to address it.
const rememberedCells = 1_000;

/** Runs cells one after the other in the session, and starts a new session when one dies. */
export class CellQueue {
  private readonly waiting: Message[] = [];
  private readonly parents = new Map<string, Header>();
  private readonly failedLate = new WeakSet<Header>();
  private readonly streams: Streams;
  private session: SessionProcess;
  private readonly spare: SpareSession;
  private current: RunningCell | undefined;
  private lastCell: string | undefined;
  /** The comms of the session. */
  readonly comms = new CommRegistry();
  private executionCount = 0;
  private silentCount = 0;
  private stopping = false;

  constructor(
    cwd: string,
    private readonly types: TypeService,
    private readonly history: History,
    private readonly outlets: QueueOutlets,
  ) {
    this.streams = new Streams((cell, name, text) => {
      this.outlets.publish("stream", { name, text }, this.parents.get(cell) ?? {});
    });
    this.spare = new SpareSession(cwd);
    this.session = this.startSession();
  }

  /** The header of the running cell's request. */
  get running(): Header | undefined {
    return this.current?.request.header;
  }

  add(request: Message): void {
    this.waiting.push(request);
    if (!this.current) this.next();
  }

  /** Stops the running cell; a second press, once offered, replaces the session. */
  interrupt(): void {
    const { current } = this;
    if (current?.offered) {
      void this.replaceSession("it was replaced because the cell could not be interrupted", { now: true });
      return;
    }
    if (current) {
      current.interrupted = true;
      current.offer ??= setTimeout(() => this.offer(current), offerAfterMs);
    }
    this.session.interrupt();
  }

  input(value: string): void {
    this.session.send({ t: "input", value });
  }

  /** Hands a request of a debugger to the session. */
  debug(request: JsonObject): Promise<JsonObject> {
    return this.session.debug(request);
  }

  /** Hands a comm message of the front end to the session. */
  comm(message: Message): void {
    const { header, content, metadata, buffers } = message;
    this.remember(header.msg_id, header);
    this.comms.onMessage(header.msg_type, content);
    this.session.send({ t: "comm", type: header.msg_type, id: header.msg_id, content, metadata }, buffers);
  }

  async stop(o: { now?: boolean } = {}): Promise<void> {
    this.stopping = true;
    this.waiting.length = 0;
    await Promise.all([this.session.stop(o), this.spare.stop()]);
    this.streams.flush();
  }

  private next(): void {
    const request = this.waiting.shift();
    if (request && !this.stopping) void this.run(request);
  }

  private async run(request: Message): Promise<void> {
    const { header, content } = request;
    const cell = header.msg_id;
    this.remember(cell, header);
    this.lastCell = cell;
    this.streams.refill();
    this.outlets.publish("status", { execution_state: "busy" }, header);

    const silent = Boolean(content.silent);
    const store = !silent && content.store_history !== false;
    if (store) this.executionCount++;
    const count = this.executionCount;
    const code = typeof content.code === "string" ? content.code : undefined;
    if (!silent) this.outlets.publish("execute_input", { code: code ?? "", execution_count: count }, header);
    if (store && code !== undefined) this.history.add(count, code);

    const result = await new Promise<CellResult>((resolve) => {
      this.current = { request, interrupted: false, offered: false, end: resolve };
      if (code === undefined) {
        resolve({
          error: plainError(
            "TypeError",
            `Cannot run a cell as code must be a string: ${typeof content.code}`,
          ),
        });
      } else void this.execute(this.current, code, count, store);
    });
    clearTimeout(this.current?.offer);
    this.streams.flush();
    const { error } = result;
    if (error) this.outlets.publish("error", { ...error }, header);
    this.outlets.reply(
      request,
      error
        ? { status: "error", execution_count: count, ...error, user_expressions: {}, payload: [] }
        : {
            status: "ok",
            execution_count: count,
            user_expressions: result.expressions ?? {},
            payload: result.payload ?? [],
          },
    );
    this.outlets.publish("status", { execution_state: "idle" }, header);
    this.current = undefined;
    this.spare.prepareSoon();
    if (error && content.stop_on_error !== false) this.abortWaiting();
    this.next();
  }

  private async execute(cell: RunningCell, code: string, count: number, store: boolean): Promise<void> {
    const { content, header } = cell.request;
    if (code.trim() === "") return cell.end({});
    const question = /^\s*\??([\w$.]+)\?{0,2}\s*$/.exec(code);
    if (question && code.includes("?")) return cell.end({ payload: await this.explain(question[1]!) });
    const name = store ? `cell_${count}.ts` : `silent_${++this.silentCount}.ts`;
    let prepared: Prepared;
    try {
      const expressions = (content.user_expressions ?? {}) as Record<string, string>;
      prepared = await this.types.ask("prepare", { code, name, expressions });
    } catch (error) {
      return cell.end({ error: plainError("KernelError", (error as Error).message) });
    }
    if (cell !== this.current) return;
    if (cell.interrupted)
      return cell.end({ error: plainError("KernelInterrupt", "The cell was interrupted") });
    if (!prepared.ok) return cell.end({ error: prepared.error });
    if (prepared.warning !== undefined) this.streams.write(header.msg_id, "stderr", `${prepared.warning}\n`);
    const command: ExecuteCommand = {
      t: "execute",
      cell: header.msg_id,
      name,
      source: code,
      code: prepared.code,
      map: prepared.map,
      executionCount: count,
      silent: Boolean(content.silent),
      allowStdin: content.allow_stdin === true,
      expressions: prepared.expressions,
    };
    this.session.send(command);
  }

  /** The pager for `name?` and `?name`, IPython's way to ask for help; neither is TypeScript. */
  private async explain(name: string): Promise<JsonObject[]> {
    const info = await this.types.ask("inspect", { code: name, offset: name.length }).catch(() => undefined);
    const data = info ? inspection(info) : { "text/plain": `Nothing is known of ${name}` };
    return [{ source: "page", data, start: 0 }];
  }

  /** Cells that were sent before an error happened are not run: they may depend on the one that failed. */
  private abortWaiting(): void {
    for (const request of this.waiting.splice(0)) {
      this.outlets.publish("status", { execution_state: "busy" }, request.header);
      this.outlets.reply(request, { status: "aborted", execution_count: this.executionCount });
      this.outlets.publish("status", { execution_state: "idle" }, request.header);
    }
  }

  private startSession(): SessionProcess {
    const session: SessionProcess = this.spare.take({
      onPacket: (packet) => {
        if (this.session === session || this.session === undefined) this.onPacket(packet);
      },
      onRawOutput: (name, text) => {
        if (this.lastCell !== undefined) this.streams.write(this.lastCell, name, text);
        else if (name === "stderr") process.stderr.write(text);
      },
      onDebugEvent: (event) => {
        if (this.session === session)
          this.outlets.publish("debug_event", event, this.current?.request.header ?? {});
      },
      onDeath: (how) => {
        if (this.session === session) void this.replaceSession(how);
      },
    });
    return session;
  }

  private onPacket({ body, buffers }: Packet): void {
    const cell = String(body.cell);
    switch (body.t) {
      case "stream":
        this.streams.write(cell, body.name as "stdout" | "stderr", body.text as string);
        break;
      case "uncaught":
        this.onUncaught(cell, String(body.text), { ename: body.ename, evalue: body.evalue });
        break;
      case "iopub":
        this.streams.flush();
        if (String(body.msgType).startsWith("comm_")) {
          this.comms.onMessage(body.msgType as string, body.content as JsonObject);
        }
        this.outlets.publish(
          body.msgType as string,
          body.content as JsonObject,
          this.parents.get(cell) ?? {},
          {
            metadata: body.metadata as JsonObject,
            buffers,
          },
        );
        break;
      case "input":
        this.streams.flush();
        if (this.current)
          this.outlets.askInput(this.current.request, body.prompt as string, Boolean(body.password));
        break;
      case "done": {
        const { current } = this;
        if (current?.request.header.msg_id !== cell) break;
        const result = {
          error: (body.error as CellError | null) ?? undefined,
          expressions: body.expressions as JsonObject,
        };
        // One turn later, so that what native code has written to the other pipes is read before the end.
        setImmediate(() => current.end(result));
      }
    }
  }

  /**
   * An error that no cell awaits, as text on stderr. The first of a cell says in its metadata what it is, so that a
   * program need not read the text; any more are gathered like all that is printed.
   */
  private onUncaught(cell: string, text: string, uncaught: JsonObject): void {
    const parent = this.parents.get(cell);
    if (!parent || this.failedLate.has(parent)) return this.streams.write(cell, "stderr", text);
    this.failedLate.add(parent);
    this.streams.flush();
    this.outlets.publish("stream", { name: "stderr", text }, parent, { metadata: { uncaught } });
  }

  private async replaceSession(how: string, o: { now?: boolean } = {}): Promise<void> {
    if (this.stopping) return;
    const old = this.session;
    this.session = this.startSession();
    const { current } = this;
    for (const id of this.comms.clear()) {
      this.outlets.publish("comm_close", { comm_id: id, data: {} }, current?.request.header ?? {});
    }
    const reset = this.types.ask("reset", {}).catch(() => undefined);
    if (o.now) await old.stop(o);
    await reset;
    const evalue = `The session that runs the cells has ended: ${how}. A new one has been started; all variables are gone`;
    if (current) current.end({ error: plainError("SessionEnded", evalue) });
    else if (this.lastCell !== undefined) this.streams.write(this.lastCell, "stderr", `${evalue}\n`);
  }

  private offer(cell: RunningCell): void {
    if (cell !== this.current) return;
    cell.offered = true;
    this.streams.write(
      cell.request.header.msg_id,
      "stderr",
      "The cell does not stop. Interrupt once more to replace its session by a fresh one; all variables are lost then.\n",
    );
  }

  private remember(cell: string, header: Header): void {
    this.parents.set(cell, header);
    if (this.parents.size > rememberedCells) this.parents.delete(this.parents.keys().next().value!);
  }
}

function plainError(ename: string, evalue: string): CellError {
  return { ename, evalue, traceback: [`${ename}: ${evalue}`] };
}
