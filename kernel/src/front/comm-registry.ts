import type { JsonObject } from "../protocol/message.js";

/** The open comms, so that the front can list them while its session computes. */
export class CommRegistry {
  private readonly targets = new Map<string, string>();

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
    return ids;
  }

  /** The `comms` of a comm_info_reply, of one target or all. */
  info(target: unknown): JsonObject {
    const comms: JsonObject = {};
    for (const [id, name] of this.targets) {
      if (typeof target !== "string" || target === name) comms[id] = { target_name: name };
    }
    return comms;
  }
}
