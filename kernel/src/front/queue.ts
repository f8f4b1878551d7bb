import { limits } from "../display/settings.js";
import type { Header, JsonObject, Message } from "../protocol/message.js";
import type { SessionReport } from "../session/messages.js";
import { CellOutput } from "./cell-output.js";
import { planCell } from "./cell-plan.js";
import { CommRegistry } from "./comm-registry.js";
import { CurrentSession } from "./current-session.js";
import type { History } from "./history.js";
import type { Publish, QueueHost, Types } from "./host.js";
import { plainError, RunningCell, type CellResult } from "./running-cell.js";
import { yieldToEventLoop } from "./yieldToEventLoop.js";
import { StaleNames } from "./stale-names.js";

/** Destinations of the queue's messages. */
export interface QueueOutlets {
  publish: Publish;
  reply(request: Message, content: JsonObject): void;
  askInput(request: Message, prompt: string, password: boolean): void;
}

/** Runs cells one after the other; it knows their order, numbers, statuses and replies. */
export class CellQueue {
  /** The comms of the session. */
  readonly comms = new CommRegistry();
  private readonly waiting: Message[] = [];
  private readonly stale = new StaleNames();
  private readonly output: CellOutput;
  private readonly session: CurrentSession;
  private current: RunningCell | undefined;
  private executionCount = 0;
  private silentCount = 0;
  private stopping = false;
  private readonly types: Types;

  constructor(
    host: QueueHost,
    private readonly history: History,
    private readonly outlets: QueueOutlets,
  ) {
    this.types = host.types;
    this.output = new CellOutput(outlets.publish, host.printed);
    this.session = new CurrentSession(host.sessions, {
      onReport: (report, buffers) => this.onReport(report, buffers),
      onRawOutput: (name, text) => {
        if (!this.output.writeToLast(name, text) && name === "stderr") host.log(text);
      },
      onHeld: (processes) => this.offerToEnd(processes),
      onDebugEvent: (event) => this.outlets.publish("debug_event", event, this.running ?? {}),
      onDeath: (how) => void this.replaceSession(how),
    });
  }

  /** The header of the running cell's request. */
  get running(): Header | undefined {
    return this.current?.request.header;
  }

  add(request: Message): void {
    this.waiting.push(request);
    if (!this.current) this.next();
  }

  /** Stops the running cell; once a fresh session has been offered, the next interrupt replaces the session. */
  interrupt(): void {
    const { current } = this;
    if (current?.offered) {
      void this.replaceSession("it was replaced because the cell could not be interrupted", { now: true });
      return;
    }
    this.session.interrupt();
    if (current?.isChecked === false) {
      // None of its code has run: there is nothing to stop, and no reason to lose a variable.
      this.types.abandonCheck();
      const evalue = "The cell was interrupted before it ran, while its types were checked";
      return current.end({ error: plainError("KernelInterrupt", evalue) });
    }
    current?.interrupt(() => this.offerFreshSession(current));
  }

  input(value: string): void {
    this.session.send({ t: "input", value });
  }

  /** Hands a request of a debugger to the session. */
  debug(request: JsonObject): Promise<JsonObject> {
    return this.session.debug(request);
  }

  /** The names of what a value of the session has; none while a cell runs, which a look must not disturb. */
  members(expression: string): Promise<string[]> {
    return this.current ? Promise.resolve([]) : this.session.members(expression);
  }

  /** Hands a comm message of the front end to the session. */
  async comm({ header, content, metadata, buffers }: Message): Promise<void> {
    await this.comms.started;
    if (this.comms.refuses(header.msg_type, content)) {
      // The protocol asks for it, and before the idle status of the message.
      this.outlets.publish("comm_close", { comm_id: content.comm_id, data: {} }, header);
      return;
    }
    this.output.remember(header);
    this.comms.onMessage(header.msg_type, content);
    this.session.send({ t: "comm", type: header.msg_type, id: header.msg_id, content, metadata }, buffers);
  }

  async stop(o: { now?: boolean } = {}): Promise<void> {
    this.stopping = true;
    this.waiting.length = 0;
    await this.session.stop(o);
    this.output.flush();
  }

  private next(): void {
    const request = this.waiting.shift();
    if (request && !this.stopping) void this.run(request);
  }

  private async run(request: Message): Promise<void> {
    const { header, content } = request;
    const silent = Boolean(content.silent);
    const store = !silent && content.store_history !== false;
    if (store) this.executionCount++;
    const count = this.executionCount;
    this.output.begin(header, `cell_${count}`);
    this.outlets.publish("status", { execution_state: "busy" }, header);
    const code = typeof content.code === "string" ? content.code : undefined;
    if (!silent) this.outlets.publish("execute_input", { code: code ?? "", execution_count: count }, header);
    if (store && code !== undefined) this.history.add(count, code);

    const cell = new RunningCell(request);
    this.current = cell;
    // A cell without an outcome would hold up all that wait behind it.
    this.execute(cell, count, store).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      cell.end({ error: plainError("KernelError", `Cannot run the cell: preparing it failed: ${said}`) });
    });
    const result = await cell.result;
    this.stale.ended(cell.names, result.error !== undefined);
    await this.output.end(header);
    if (result.error) this.outlets.publish("error", { ...result.error }, header);
    this.outlets.reply(request, replyContent(result, count));
    this.outlets.publish("status", { execution_state: "idle" }, header);
    this.current = undefined;
    this.session.prepareSpare();
    if (result.error && content.stop_on_error !== false) this.abortWaiting();
    this.next();
  }

  private async execute(cell: RunningCell, executionCount: number, store: boolean): Promise<void> {
    const name = store ? `cell_${executionCount}.ts` : `silent_${++this.silentCount}.ts`;
    const plan = await planCell(cell.request, { name, executionCount }, this.types);
    // Its session may have died, or a user may have given up, while its types were checked.
    if (cell !== this.current) return;
    cell.isChecked = true;
    if (plan.names) cell.names = plan.names;
    if ("result" in plan) return cell.end(plan.result);
    if (plan.warning !== undefined) this.output.write(cell.id, "stderr", `${plan.warning}\n`);
    const stale = this.stale.usedBy(cell.names);
    this.session.send(stale.length > 0 ? { ...plan.command, stale } : plan.command);
  }

  /** Cells that were sent before an error happened are not run: they may depend on the one that failed. */
  private abortWaiting(): void {
    for (const request of this.waiting.splice(0)) {
      this.outlets.publish("status", { execution_state: "busy" }, request.header);
      this.outlets.reply(request, { status: "aborted", execution_count: this.executionCount });
      this.outlets.publish("status", { execution_state: "idle" }, request.header);
    }
  }

  private onReport(report: SessionReport, buffers: Buffer[]): void {
    switch (report.t) {
      case "ready":
        return this.comms.ready();
      case "target":
        return this.comms.offer(report.name);
      case "stream":
        return this.output.write(report.cell, report.name, report.text);
      case "uncaught":
        return this.output.uncaught(report);
      case "iopub":
        if (report.msgType.startsWith("comm_")) this.comms.onMessage(report.msgType, report.content);
        return this.output.message(report, buffers);
      case "settings":
        limits.values = report.values;
        return;
      case "input":
        this.output.flush();
        if (this.current) this.outlets.askInput(this.current.request, report.prompt, report.password);
        return;
      case "done": {
        const { current } = this;
        if (current?.id !== report.cell) return;
        const { error, expressions } = report;
        // One turn later, so that whatever native code has written to the other pipes is read first.
        yieldToEventLoop(() => current.end({ error: error ?? undefined, expressions }));
        return;
      }
      default:
        report satisfies never;
    }
  }

  private async replaceSession(how: string, o: { now?: boolean } = {}): Promise<void> {
    if (this.stopping) return;
    const old = this.session.replace();
    this.stale.clear();
    this.session.send({ t: "settings", values: limits.values });
    const { current } = this;
    for (const id of this.comms.clear()) {
      this.outlets.publish("comm_close", { comm_id: id, data: {} }, current?.request.header ?? {});
    }
    const reset = this.types.ask("reset", {}).catch(() => undefined);
    if (o.now) await old.stop(o);
    await reset;
    const evalue = `The session that runs the cells has ended: ${how}. A new one has been started; all variables are gone`;
    if (current) current.end({ error: plainError("SessionEnded", evalue) });
    else this.output.writeToLast("stderr", `${evalue}\n`);
  }

  /** A child process holds up the interrupted cell. */
  private offerToEnd(processes: readonly string[]): void {
    const { current } = this;
    if (!current) return;
    current.postpone();
    const [one, ...more] = processes;
    const text =
      more.length === 0
        ? `The cell waits for a process that ignores the interrupt: ${one}. Interrupt once more to end it; all variables are kept.\n`
        : `The cell waits for processes that do not obey the interrupt: ${processes.join(", ")}. Interrupt once more to end them; all variables are kept.\n`;
    this.output.write(current.id, "stderr", text);
  }

  private offerFreshSession(cell: RunningCell): void {
    const offer =
      "The cell does not stop. Interrupt once more to replace its session with a fresh one; all variables are lost then.\n";
    this.output.write(cell.id, "stderr", offer);
  }
}

function replyContent({ error, expressions, payload }: CellResult, count: number): JsonObject {
  return error
    ? { status: "error", execution_count: count, ...error, user_expressions: {}, payload: [] }
    : {
        status: "ok",
        execution_count: count,
        user_expressions: expressions ?? {},
        payload: payload ?? [],
      };
}
