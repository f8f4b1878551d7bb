import type { TypeReport, TypeRequest, TypeRequests } from "../types/messages.js";
import type { Types } from "./host.js";

type Prepare = TypeRequests["prepare"]["request"];

/** Answerer of questions about types: a process, or a worker of a page. */
export interface TypeAnswerer {
  send(request: TypeRequest): void;
  kill(): void;
}

/** Events of an answerer. */
export interface TypeEvents {
  onReport(report: TypeReport): void;
  /** It has ended by itself or was killed; `reason` in words. */
  onEnd(reason: string): void;
}

interface Pending {
  resolve(answer: never): void;
  reject(error: Error): void;
  request: TypeRequest;
  /** It is asked once more should the answerer end before it answers. */
  again: boolean;
  /** The cell to prepare, if that was the request. */
  cell: Prepare | undefined;
}

/** Time that an abandoned check may hold up others. */
const patienceMs = 1_000;

/**
 * Asks what answers questions about types. If it ever fails, it is started again with the names that the cells have
 * declared.
 */
export class TypeQuestions<Answerer extends TypeAnswerer = TypeAnswerer> implements Types {
  protected answerer: Answerer | undefined;
  private counter = 0;
  private readonly pending = new Map<number, Pending>();
  /** All cells prepared since the session began. */
  private prepared: Prepare[] = [];
  /** Checks that nobody waits for, and that are not known to have ended. */
  private readonly abandoned = new Set<number>();
  private isStopped = false;

  constructor(private readonly open: (events: TypeEvents) => Answerer) {}

  /** Starts the answerer, unless a question has done so. */
  warmUp(): void {
    if (!this.answerer) this.start();
  }

  ask<K extends keyof TypeRequests>(
    kind: K,
    request: TypeRequests[K]["request"],
  ): Promise<TypeRequests[K]["answer"]> {
    this.warmUp();
    return new Promise((resolve, reject) => {
      const id = ++this.counter;
      const packet = { t: "request", id, kind, request } as TypeRequest;
      const cell = kind === "prepare" ? (request as Prepare) : undefined;
      this.pending.set(id, { resolve, reject, request: packet, cell, again: kind !== "restore" });
      if (kind === "reset") this.prepared = [];
      this.answerer!.send(packet);
    });
  }

  /** Tells the answerer of cells that were prepared elsewhere. */
  async learn(cells: readonly Prepare[]): Promise<void> {
    await this.ask("restore", { cells: [...cells] });
    this.prepared.push(...cells);
  }

  /** Nobody waits for the check of a cell any more. If it goes on, a new answerer answers what is asked next. */
  abandonCheck(): void {
    for (const [id, { cell, reject }] of this.pending) {
      if (!cell) continue;
      this.pending.delete(id);
      reject(new Error("The check was given up"));
      this.abandoned.add(id);
      const timer: unknown = setTimeout(() => {
        if (this.abandoned.delete(id)) this.answerer?.kill();
      }, patienceMs);
      // Node would wait for it, and a browser has no such thing.
      (timer as { unref?(): void }).unref?.();
    }
  }

  stop(): void {
    this.isStopped = true;
    const { answerer } = this;
    this.answerer = undefined;
    answerer?.kill();
  }

  private start(): void {
    const answerer = this.open({
      onReport: (report) => {
        switch (report.t) {
          case "ready":
            return;
          case "answer":
            return this.settle(report.id)?.resolve(report.answer as never);
          case "failure":
            return this.settle(report.id)?.reject(new Error(report.failure));
          default:
            report satisfies never;
        }
      },
      onEnd: (reason) => {
        if (this.answerer === answerer) this.onEnd(reason);
      },
    });
    this.answerer = answerer;
    this.restore();
  }

  private onEnd(reason: string): void {
    this.answerer = undefined;
    const error = new Error(`The type service ended: ${reason}`);
    this.abandoned.clear();
    const waiting = [...this.pending];
    this.pending.clear();
    for (const [, { again, reject }] of waiting) if (!again) reject(error);
    const asked = waiting.filter(([, { again }]) => again);
    if (asked.length === 0 || this.isStopped) return;
    this.start();
    for (const [id, one] of asked) {
      // What has ended two processes ends the third as well.
      this.pending.set(id, { ...one, again: false });
      this.answerer!.send(one.request);
    }
  }

  /** Restores in a new answerer what the ones before it knew. */
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
