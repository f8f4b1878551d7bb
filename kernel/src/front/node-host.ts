import { randomUUID } from "node:crypto";
import { limits } from "../display/settings.js";
import type { ConnectionInfo } from "../protocol/connection.js";
import { openHistory } from "./history-file.js";
import type { KernelHost } from "./kernel.js";
import { nodeFacts } from "./node-facts.js";
import { SessionProcess } from "./session-process.js";
import { Sockets } from "./sockets.js";
import { Spill } from "./spill.js";
import type { TypeService } from "./type-service.js";

/** A kernel's surroundings on Node: sockets, a session process, a type service, files. `TURNWISE_SPARE=off` goes without a spare. */
export function nodeHost(
  connection: ConnectionInfo,
  cwd: string,
  types: TypeService,
  exit: (code: number) => void,
): KernelHost {
  return {
    transport: new Sockets(connection, randomUUID()),
    history: openHistory(undefined, (text) => void process.stderr.write(`turnwise kernel: ${text}\n`)),
    types,
    printed: new Spill(cwd, () => ({ burst: limits.get("printed"), kept: limits.get("kept") })),
    sessions: {
      open: (events) => new SessionProcess(events, cwd),
      spare: process.env.TURNWISE_SPARE !== "off",
    },
    facts: nodeFacts,
    log: (text) => void process.stderr.write(text),
    exit,
  };
}
