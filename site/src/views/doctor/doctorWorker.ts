import type { Answer, Examination, Progress } from "./messages";

/** An answer that ends an examination. */
export type Outcome = Exclude<Answer, Progress>;

/**
 * The worker that examines runs. Its script is loaded with the page, as text, so that it starts, and starts again, without a request; it
 * inherits the policy of the page, by which the browser refuses to send anything.
 */
export class DoctorWorker {
  #end: (() => void) | undefined;
  #count = 0;
  readonly #script: Promise<string>;

  /** @param load gives the script's text */
  constructor(load: () => Promise<string>) {
    this.#script = load();
    // Whoever examines a run hears of a failure.
    this.#script.catch(() => undefined);
  }

  /** Resolves when all that the page needs is there. */
  async ready(): Promise<void> {
    await this.#script;
  }

  /** Examines a run, and ends an earlier examination, which then has no outcome. */
  async examine(
    what: Omit<Examination, "id">,
    onProgress: (progress: Progress) => void,
  ): Promise<Outcome | undefined> {
    this.stop();
    const id = ++this.#count;
    let script: string;
    try {
      script = await this.#script;
    } catch (error) {
      const message = `The script of the doctor could not be loaded (${(error as Error).message}). Load the page again.`;
      return { kind: "failed", id, message };
    }
    if (id !== this.#count) return undefined;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    return await new Promise((resolve) => {
      const end = (outcome?: Outcome): void => {
        worker.terminate();
        URL.revokeObjectURL(address);
        this.#end = undefined;
        resolve(outcome);
      };
      this.#end = end;
      worker.onmessage = ({ data }: MessageEvent<Answer>) =>
        data.kind === "progress" ? onProgress(data) : end(data);
      worker.onerror = (event) => {
        event.preventDefault();
        end({
          kind: "failed",
          id,
          message: event.message || "The doctor ended before it was done, perhaps for lack of memory.",
        });
      };
      worker.postMessage({ ...what, id } satisfies Examination);
    });
  }

  stop(): void {
    this.#count += 1;
    this.#end?.();
  }
}
