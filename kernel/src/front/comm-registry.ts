import type { JsonObject } from "../protocol/message.js";

/** The open comms, so that the front can list them, and refuse others, while its session computes. */
export class CommRegistry {
  private readonly targets = new Map<string, string>();
  /** Functions that the session offers. */
  private readonly offered = new Set<string>();
  private start: () => void = () => undefined;
  /** Resolves once the session has started: before, nobody knows what it offers. */
  started = this.starting();

  /** The session offers a target. */
  offer(target: string): void {
    this.offered.add(target);
  }

  /** The session has started: from here on all that it does not offer is unknown to it. */
  ready(): void {
    this.start();
  }

  /** Whether the session has nothing for a comm that the front end opens. */
  refuses(type: string, { target_name: target }: JsonObject): boolean {
    return type === "comm_open" && !this.offered.has(String(target));
  }

  /** Records a comm message of either side. */
  onMessage(type: string, content: JsonObject): void {
    const id = String(content.comm_id);
    if (type === "comm_open") this.targets.set(id, String(content.target_name));
    if (type === "comm_close") this.targets.delete(id);
  }

  /** A new session knows none of the comms of the old one. */
  clear(): string[] {
    const ids = [...this.targets.keys()];
    this.targets.clear();
    this.offered.clear();
    this.started = this.starting(this.start);
    return ids;
  }

  /** A session that has died before it was ready leaves what waited for it to the next one. */
  private starting(before: () => void = () => undefined): Promise<void> {
    return new Promise((resolve) => {
      this.start = () => {
        before();
        resolve();
      };
    });
  }

  /** The `comms` of a comm_info_reply, of one target or all. */
  info(target: unknown): JsonObject {
    const asked = [...this.targets].filter(([, name]) => typeof target !== "string" || target === name);
    return Object.fromEntries(asked.map(([id, name]) => [id, { target_name: name }]));
  }
}
