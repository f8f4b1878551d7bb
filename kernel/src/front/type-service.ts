import { spawn, type ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { encodePacket, PacketReader } from "../process/pipe.js";
import type { TypeReport, TypeRequest } from "../types/messages.js";
import { findSnapshot, typeServiceFlags } from "../types/snapshot.js";
import { TypeQuestions, type TypeAnswerer, type TypeEvents } from "./type-questions.js";

const entry = join(__dirname, "../types/main.js");

/** Asks the type process, which answers while cells run. */
export class TypeService extends TypeQuestions<TypeProcess> {
  constructor(cwd: string, snapshot: () => string | undefined = findSnapshot) {
    super((events) => new TypeProcess(cwd, events, snapshot()));
  }

  get pid(): number | undefined {
    return this.answerer?.pid;
  }
}

/**
 * glibc's allocator gives back what V8's threads and the reading of the snapshot have used for a moment: it would keep 17 MB.
 * Other C libraries do not read it.
 */
const tightMalloc = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** A process of the type service, started from a snapshot where there is one that works. */
class TypeProcess implements TypeAnswerer {
  private child: ChildProcess;
  private requests!: Writable;
  /** Data sent before it was ready: a broken snapshot is no reason to go without an answer. */
  private early: Buffer[] | undefined = [];

  constructor(
    private readonly cwd: string,
    private readonly events: TypeEvents,
    snapshot: string | undefined,
  ) {
    // A snapshot has the other TypeScript, and the declarations on the disk, in it.
    const { TURNWISE_ENGINE: engine, TURNWISE_DECLARATIONS: declarations } = process.env;
    this.child = this.spawn(engine === "tslab" || declarations !== undefined ? undefined : snapshot);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  send(request: TypeRequest): void {
    const packet = encodePacket<TypeRequest>(request);
    this.early?.push(packet);
    this.requests.write(packet);
  }

  kill(): void {
    this.early = undefined;
    this.child.kill("SIGKILL");
  }

  private spawn(snapshot: string | undefined): ChildProcess {
    const argv =
      snapshot === undefined
        ? [entry, this.cwd]
        : ["--snapshot-blob", snapshot, this.cwd, dirname(dirname(entry))];
    const child = spawn(process.execPath, [...typeServiceFlags, ...argv], {
      cwd: this.cwd,
      stdio: ["ignore", "ignore", "inherit", "pipe", "pipe"],
      env: { ...process.env, ...tightMalloc, NODE_NO_WARNINGS: "1" },
    });
    const answers = child.stdio[3] as Readable;
    this.requests = child.stdio[4] as Writable;
    this.requests.on("error", () => undefined);
    answers.on("error", () => undefined);
    const reader = new PacketReader<TypeReport>(({ body }) => {
      if (body.t === "ready") this.early = undefined;
      this.events.onReport(body);
    });
    answers.on("data", (chunk: Buffer) => reader.push(chunk));
    let isOver = false;
    const onEnd = (reason: string): void => {
      if (isOver) return;
      isOver = true;
      if (!this.early || snapshot === undefined) return this.events.onEnd(reason);
      this.child = this.spawn(undefined);
      for (const packet of this.early) this.requests.write(packet);
    };
    child.once("error", (error) => onEnd(error.message));
    child.once("close", (code, signal) => onEnd(signal ?? `exit code ${code}`));
    return child;
  }
}
