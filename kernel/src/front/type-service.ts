import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { encodePacket, PacketReader } from "../process/pipe.js";
import type { TypeReport, TypeRequest, TypeRequests } from "../types/messages.js";
import { findSnapshot, typeServiceFlags } from "../types/snapshot.js";

const entry = join(__dirname, "../types/main.js");

type Prepare = TypeRequests["prepare"]["request"];

interface Pending {
  resolve(answer: never): void;
  reject(error: Error): void;
  packet: Buffer;
  /** It is asked once more should the process end before it answers. */
  again: boolean;
  /** The cell to prepare, if that was the request. */
  cell: Prepare | undefined;
}

/** How long a check that was given up may hold up others. */
const patienceMs = 1_000;

/**
 * Asks the type process, which answers while cells run. Should it ever fail, it is started again with the names that the
 * cells have declared.
 */
export class TypeService {
  private child: ChildProcess | undefined;
  private requests: Writable | undefined;
  private counter = 0;
  private readonly pending = new Map<number, Pending>();
  /** All cells prepared since the session began. */
  private prepared: Prepare[] = [];
  /** Checks that nobody waits for, and that are not known to have ended. */
  private readonly abandoned = new Set<number>();
  private isStopped = false;

  constructor(
    private readonly cwd: string,
    private readonly snapshot: () => string | undefined = findSnapshot,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the process, unless a question has done so. */
  warmUp(): void {
    if (!this.child) this.start(this.snapshot());
  }

  ask<K extends keyof TypeRequests>(
    kind: K,
    request: TypeRequests[K]["request"],
  ): Promise<TypeRequests[K]["answer"]> {
    this.warmUp();
    return new Promise((resolve, reject) => {
      const id = ++this.counter;
      const packet = encodePacket<TypeRequest>({ t: "request", id, kind, request } as TypeRequest);
      const cell = kind === "prepare" ? (request as Prepare) : undefined;
      this.pending.set(id, { resolve, reject, packet, cell, again: kind !== "restore" });
      if (kind === "reset") this.prepared = [];
      this.requests!.write(packet);
    });
  }

  /** Nobody waits for the check of a cell any more. If it goes on, a new process answers what is asked next. */
  abandonCheck(): void {
    for (const [id, { cell, reject }] of this.pending) {
      if (!cell) continue;
      this.pending.delete(id);
      reject(new Error("The check was given up"));
      this.abandoned.add(id);
      setTimeout(() => {
        if (this.abandoned.delete(id)) this.child?.kill("SIGKILL");
      }, patienceMs).unref();
    }
  }

  stop(): void {
    this.isStopped = true;
    const { child } = this;
    this.child = undefined;
    child?.kill("SIGKILL");
  }

  private start(snapshot: string | undefined): void {
    // tslab's converter brings a TypeScript of its own: a snapshot of the other one would only get in the way.
    const usable = process.env.TURNWISE_ENGINE === "tslab" ? undefined : snapshot;
    const argv = usable === undefined ? [entry, this.cwd] : ["--snapshot-blob", usable, this.cwd];
    const child = spawn(process.execPath, [...typeServiceFlags, ...argv], {
      cwd: this.cwd,
      stdio: ["ignore", "ignore", "inherit", "pipe", "pipe"],
      env: { ...process.env, NODE_NO_WARNINGS: "1" },
    });
    this.child = child;
    const answers = child.stdio[3] as Readable;
    this.requests = child.stdio[4] as Writable;
    this.requests.on("error", () => undefined);
    answers.on("error", () => undefined);
    let ready = false;
    const reader = new PacketReader<TypeReport>(({ body }) => {
      switch (body.t) {
        case "ready":
          ready = true;
          return;
        case "answer":
          return this.settle(body.id)?.resolve(body.answer as never);
        case "failure":
          return this.settle(body.id)?.reject(new Error(body.failure));
        default:
          body satisfies never;
      }
    });
    answers.on("data", (chunk: Buffer) => reader.push(chunk));
    const onEnd = (reason: string): void => {
      if (this.child !== child) return;
      this.child = undefined;
      if (!ready && usable !== undefined) {
        // A broken snapshot is no reason to go without types.
        this.start(undefined);
        for (const { packet } of this.pending.values()) this.requests!.write(packet);
        return;
      }
      const error = new Error(`The type service ended: ${reason}`);
      this.abandoned.clear();
      const waiting = [...this.pending];
      this.pending.clear();
      for (const [, { again, reject }] of waiting) if (!again) reject(error);
      const asked = waiting.filter(([, { again }]) => again);
      if (asked.length === 0 || this.isStopped) return;
      this.start(this.snapshot());
      for (const [id, one] of asked) {
        // What has ended two processes ends the third as well.
        this.pending.set(id, { ...one, again: false });
        this.requests!.write(one.packet);
      }
    };
    this.restore();
    child.once("error", (error) => onEnd(error.message));
    child.once("close", (code, signal) => onEnd(signal ?? `exit code ${code}`));
  }

  /** Restores in a new process what the ones before it knew. */
  private restore(): void {
    if (this.prepared.length === 0) return;
    const { prepared } = this;
    // Should it not survive this, the next one starts with nothing.
    this.prepared = [];
    this.ask("restore", { cells: prepared }).then(
      () => this.prepared.unshift(...prepared),
      () => undefined,
    );
  }

  private settle(id: number): Pending | undefined {
    this.abandoned.delete(id);
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (pending?.cell) this.prepared.push(pending.cell);
    return pending;
  }
}
