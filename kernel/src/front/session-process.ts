import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Duplex, Readable, Writable } from "node:stream";
import { descendants, endAll } from "../process/descendants.js";
import { encodePacket, PacketReader } from "../process/pipe.js";
import { EncodedJson } from "../protocol/encoded.js";
import type { JsonObject } from "../protocol/message.js";
import type {
  ControlCommand,
  ControlReport,
  NumberedCommand,
  SessionCommand,
  SessionReport,
} from "../session/messages.js";
import type { Session, SessionEvents } from "./host.js";

const entry = join(__dirname, "../session/node/main.js");
// The first makes a termination by V8 survivable (async hook stacks are not checked); the second hides Node's notice about the
// loader that the session's imports go through, the third one about `punycode`, which packages load and no cell can change.
const nodeFlags = [
  "--no-force-async-hooks-checks",
  "--disable-warning=ExperimentalWarning",
  "--disable-warning=DEP0040",
];
// With it, Node tells what an import of a cell would load.
const tellsResolution = "--experimental-import-meta-resolve";
if (process.allowedNodeEnvironmentFlags.has(tellsResolution)) nodeFlags.push(tellsResolution);
// V8 of Node 24 and 26 unrolls some loops without a look at whether they shall end: `while (x) y = new Array(1000).fill(0)` in a
// library, where no mark stands, could not even be terminated.
if (Number(process.versions.node.split(".")[0]) >= 23) nodeFlags.push("--no-turboshaft-loop-unrolling");
const farewellMs = 300;
/** Bytes of what a cell has written to a pipe of the kernel. */
const mostShown = 200;
/** Time after which is asked whether a command was taken. */
const keptMs = 1_000;
/** Time that a completion may wait for the session. */
const membersMs = 1_000;

/** One session process and its pipes. */
export class SessionProcess implements Session {
  private readonly child: ChildProcess;
  private readonly commands: Writable;
  private readonly control: Duplex;
  private readonly memberRequests = new Map<number, (names: string[]) => void>();
  private readonly debugRequests = new Map<number, (response: JsonObject) => void>();
  private debugCount = 0;
  private stopped = false;
  private isGarbled = false;
  private cells = 0;
  /** Number of the last command. */
  private sent = 0;
  /** Commands that the session has not taken yet, by their numbers. */
  private readonly untaken = new Map<number, Buffer>();
  private asking: NodeJS.Timeout | undefined;
  private lastWords = "";

  constructor(events: SessionEvents, cwd: string) {
    const flags = (process.env.TURNWISE_NODE_FLAGS ?? "").split(" ").filter((flag) => flag !== "");
    this.child = spawn(process.execPath, [...nodeFlags, ...flags, entry], {
      cwd,
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe", "pipe"],
      // A process group of its own, so that whatever its cells have started can be found even after it was killed.
      detached: process.platform !== "win32",
      // Color codes would end up in saved notebooks.
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    });
    const skipped = (bytes: Buffer): void => this.onGarbage(bytes, events);
    const reader = new PacketReader<SessionReport>(({ body, buffers }) => {
      if (body.t === "iopub" && body.encoded)
        events.onReport({ ...body, content: new EncodedJson(buffers[0]!) }, buffers.slice(1));
      else events.onReport(body, buffers);
    }, skipped);
    const out = this.child.stdio[3] as Readable;
    out.on("data", (chunk: Buffer) => this.hear(() => reader.push(chunk), events));
    this.commands = this.child.stdio[4] as Writable;
    // Node's types know five pipes, Node itself any number.
    this.control = (this.child.stdio as unknown as Duplex[])[5]!;
    const controlReader = new PacketReader<ControlReport>(({ body }) => {
      switch (body.t) {
        case "event":
          return events.onDebugEvent(body.event);
        case "debug":
          return this.onDebugResponse(body.id, body.response);
        case "held":
          return events.onHeld(body.processes);
        case "members":
          return this.onMembers(body.id, body.names);
        case "taken":
          return this.onTaken(body.number);
        case "missed":
          this.onTaken(body.number);
          return this.sendAgain();
        default:
          body satisfies never;
      }
    }, skipped);
    this.control.on("data", (chunk: Buffer) => this.hear(() => controlReader.push(chunk), events));
    for (const pipe of [out, this.commands, this.control]) pipe.on("error", () => undefined);
    for (const name of ["stdout", "stderr"] as const) {
      this.child[name]!.setEncoding("utf8").on("data", (text: string) => {
        if (name === "stderr") this.lastWords = (this.lastWords + text).slice(-8_192);
        if (!this.stopped) events.onRawOutput(name, text);
      });
    }
    this.child.once("exit", () => this.endGroup());
    // "close" and not "exit": all output has been read by then.
    this.child.once("close", (code, signal) => {
      this.endDebugging();
      if (!this.stopped) events.onDeath(describeDeath(code, signal, this.lastWords));
    });
    this.child.once("error", (error) => {
      if (!this.stopped) events.onDeath(error.message);
    });
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  /** Reads what has come; a session whose reports cannot be read is of no use, and must not take the front with it. */
  private hear(read: () => void, events: SessionEvents): void {
    if (this.isGarbled) return;
    try {
      read();
    } catch (error) {
      this.isGarbled = true;
      const text = `turnwise kernel: a report of the session cannot be read: ${String(error)}\n`;
      events.onRawOutput("stderr", text);
      this.child.kill("SIGKILL");
    }
  }

  /** Foreign data on the channel on which the session reports. */
  private onGarbage(bytes: Buffer, events: SessionEvents): void {
    if (this.stopped) return;
    const shown = JSON.stringify(bytes.toString("utf8", 0, mostShown));
    const more =
      bytes.length > mostShown ? ` and ${(bytes.length - mostShown).toLocaleString("en")} more bytes` : "";
    events.onRawOutput(
      "stderr",
      `turnwise kernel: skipped ${shown}${more}, which a cell or a process has written to a pipe of the kernel (descriptor 3 or 5): ` +
        "write to a file that you open\n",
    );
  }

  send(command: SessionCommand, buffers: readonly Uint8Array[] = []): void {
    const number = this.sent + 1;
    const packet = encodePacket<NumberedCommand>({ ...command, number }, buffers);
    if (command.t === "execute") this.cells++;
    this.sent = number;
    this.untaken.set(number, packet);
    this.commands.write(packet);
    this.askLater();
  }

  /** Asks which commands have been taken, so that those need not be kept. */
  private askLater(): void {
    this.asking ??= setTimeout(() => {
      this.asking = undefined;
      if (!this.stopped) this.control.write(encodePacket<ControlCommand>({ t: "taken" }));
    }, keptMs).unref();
  }

  private onTaken(number: number): void {
    for (const one of this.untaken.keys()) if (one <= number) this.untaken.delete(one);
    if (this.untaken.size > 0) this.askLater();
  }

  /** A termination may have met the main thread as it read commands: then nobody else knows of them any more. */
  private sendAgain(): void {
    if (this.stopped) return;
    for (const packet of this.untaken.values()) this.commands.write(packet);
  }

  /** Starts the interrupt ladder of the session; works even while its main thread is blocked. */
  interrupt(): void {
    this.control.write(encodePacket<ControlCommand>({ t: "interrupt", serial: this.cells }));
  }

  /** Hands a request of the Debug Adapter Protocol to the debugger, which answers even while a cell is halted. */
  debug(request: JsonObject): Promise<JsonObject> {
    return new Promise((resolve) => {
      const id = ++this.debugCount;
      this.debugRequests.set(id, resolve);
      this.control.write(encodePacket<ControlCommand>({ t: "debug", id, request }));
    });
  }

  /** The names of what a value of the session has; none if it does not answer soon. */
  members(expression: string): Promise<string[]> {
    return new Promise((resolve) => {
      const id = ++this.debugCount;
      this.memberRequests.set(id, resolve);
      setTimeout(() => this.onMembers(id, []), membersMs).unref();
      this.control.write(encodePacket<ControlCommand>({ t: "members", id, expression }));
    });
  }

  private onMembers(id: number, names: string[]): void {
    this.memberRequests.get(id)?.(names);
    this.memberRequests.delete(id);
  }

  /** Ends whatever the cells have started, which may also hold the parent's pipes open. */
  private endGroup(): void {
    if (process.platform === "win32" || this.pid <= 1) return;
    try {
      process.kill(-this.pid, "SIGTERM");
    } catch {
      // Nothing is left of it.
    }
  }

  private onDebugResponse(id: number, response: JsonObject): void {
    this.debugRequests.get(id)?.(response);
    this.debugRequests.delete(id);
  }

  private endDebugging(): void {
    for (const id of [...this.debugRequests.keys()]) {
      this.onDebugResponse(id, {
        type: "response",
        success: false,
        message: "The session has ended",
        body: {},
      });
    }
  }

  /** Ends the process and whatever it started; it may finish by itself first, unless `now`. */
  async stop(o: { now?: boolean } = {}): Promise<void> {
    this.stopped = true;
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => this.child.once("exit", () => resolve()));
    const family = descendants(this.pid);
    if (o.now) this.child.kill("SIGKILL");
    else {
      this.send({ t: "exit" });
      const timer = setTimeout(() => this.child.kill("SIGKILL"), farewellMs);
      void gone.then(() => clearTimeout(timer));
    }
    await gone;
    await endAll(family);
  }
}

function describeDeath(code: number | null, signal: string | null, lastWords: string): string {
  if (/heap out of memory|Allocation failed/.test(lastWords))
    return "it ran out of memory. TURNWISE_NODE_FLAGS=--max-old-space-size=8192, set before the kernel starts, gives it 8 GB";
  if (signal !== null) return `it was ended by ${signal}`;
  return code === 0 ? "it called process.exit or ran out of things to do" : `it ended with exit code ${code}`;
}
