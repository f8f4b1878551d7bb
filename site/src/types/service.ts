import type { Types } from "turnwise-kernel/internal/front/host";
import {
  TypeQuestions,
  type TypeAnswerer,
  type TypeEvents,
} from "turnwise-kernel/internal/front/type-questions";
import type { TypeReport, TypeRequests } from "turnwise-kernel/internal/types/messages";
import type { TypesStart } from "./scope.js";
import type { SourceNews } from "./sources.js";

type Prepare = TypeRequests["prepare"]["request"];

/** A worker as a page has it. */
export interface TypeWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

/** Progress of the types, with the text to show. */
export type OnTypesState = (state: "loading" | "ready" | "failed", text: string) => void;

const startWorker = (url: string): TypeWorker =>
  new (globalThis as unknown as { Worker: new (url: string) => TypeWorker }).Worker(url);

/**
 * The types of a notebook in a page, in two steps. A small worker that only parses prepares the first cells, so that the first
 * result does not wait for the checker; that comes after it, learns what those cells have declared, and takes over.
 */
export class BrowserTypes implements Types {
  private readonly first: TypeQuestions;
  private checker: TypeQuestions | undefined;
  private loading: Promise<TypeQuestions> | undefined;
  /** The cells that the first worker has prepared, which run unchecked. */
  private early: Prepare[] = [];
  private isStopped = false;
  /** Number of questions the first worker has yet to answer. */
  private askedFirst = 0;
  private readonly sources = new Map<string, SourceNews>();
  /** The worker that checks, once it is started. */
  private full: TypeWorker | undefined;

  constructor(
    private readonly scripts: { readonly first: string; readonly full: string },
    private readonly start: TypesStart,
    private readonly onState: OnTypesState = () => undefined,
    private readonly worker: (url: string) => TypeWorker = startWorker,
  ) {
    this.first = this.questions(scripts.first);
    this.first.warmUp();
  }

  async ask<K extends keyof TypeRequests>(
    kind: K,
    request: TypeRequests[K]["request"],
  ): Promise<TypeRequests[K]["answer"]> {
    if (this.checker) return this.checker.ask(kind, request);
    if (kind === "complete" || kind === "inspect") return (await this.load()).ask(kind, request);
    if (kind === "reset") this.early = [];
    const answer = await this.askFirst(kind, request);
    if (kind !== "prepare") return answer;
    // A cell that needs TypeScript's printer, such as one with an enum, waits for it.
    if (answer === undefined) return (await this.load()).ask(kind, request);
    const { ok } = answer as TypeRequests["prepare"]["answer"];
    if (ok) await this.noteEarly({ ...(request as Prepare), hasRun: true });
    return answer;
  }

  /** A source that cells may import has been written or removed. */
  source(news: SourceNews): void {
    this.sources.set(news.path, news);
    this.full?.postMessage({ source: news });
  }

  abandonCheck(): void {
    (this.checker ?? this.first).abandonCheck();
  }

  /** Loads the checker, once: after the first result, or when somebody asks what only it knows. */
  load(): Promise<TypeQuestions> {
    return (this.loading ??= this.takeOver());
  }

  stop(): void {
    this.isStopped = true;
    this.first.stop();
    this.checker?.stop();
  }

  private async takeOver(): Promise<TypeQuestions> {
    this.onState("loading", "Types are being loaded; until they are there, cells run unchecked");
    const checker = this.questions(this.scripts.full);
    try {
      await checker.ask("isComplete", { code: "" });
      // More cells may be prepared while the checker learns of those before.
      while (this.early.length > 0) await checker.learn(this.early.splice(0));
    } catch (error) {
      checker.stop();
      this.loading = undefined;
      this.onState(
        "failed",
        `Cells run unchecked, since the types could not be loaded: ${(error as Error).message}`,
      );
      throw error;
    }
    if (this.isStopped) checker.stop();
    this.checker = checker;
    if (this.askedFirst === 0) this.first.stop();
    this.onState("ready", "Types are there: cells are checked before they run");
    return checker;
  }

  /** The first worker is stopped once the checker has taken over, but not before it has answered what it was asked. */
  private async askFirst<K extends keyof TypeRequests>(
    kind: K,
    request: TypeRequests[K]["request"],
  ): Promise<TypeRequests[K]["answer"]> {
    this.askedFirst++;
    try {
      return await this.first.ask(kind, request);
    } finally {
      if (--this.askedFirst === 0 && this.checker) this.first.stop();
    }
  }

  /** The checker may have taken over while the cell was prepared. */
  private async noteEarly(cell: Prepare): Promise<void> {
    if (this.checker) await this.checker.learn([cell]);
    else this.early.push(cell);
  }

  private questions(url: string): TypeQuestions {
    return new TypeQuestions((events) => this.answerer(url, events));
  }

  private answerer(url: string, events: TypeEvents): TypeAnswerer {
    const worker = this.worker(url);
    const end = (reason: string): void => {
      worker.terminate();
      events.onEnd(reason);
    };
    worker.onmessage = ({ data }) => events.onReport(data as TypeReport);
    worker.onerror = ({ message }) => end(message ?? `${url} could not be loaded`);
    worker.postMessage({ start: this.start });
    if (url === this.scripts.full) {
      this.full = worker;
      for (const source of this.sources.values()) worker.postMessage({ source });
    }
    return {
      send: (request) => worker.postMessage(request),
      kill: () => end("it was ended"),
    };
  }
}
