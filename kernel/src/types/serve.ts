import { Socket } from "node:net";
import { encodePacket, PacketReader, writeBlocking } from "../process/pipe.js";
import { answerTo } from "./answer.js";
import { cellTypesIn } from "./default-engine.js";
import type { TypeReport, TypeRequest } from "./messages.js";
import { forgetVersions } from "./registry.js";
import { forgetOldResolutions } from "./resolutions.js";

/** The file descriptors that the front opens for the type service. */
export const typeFds = { answers: 3, requests: 4 } as const;

// Without a snapshot, reading the type libraries takes a second or more. That waits for the first cell, which may need
// none of them, or for a pause between requests.
const patienceMs = { cold: 1_500, warm: 200 };
const afterFirstCellMs = 20;

/** Answers requests from the front until it is gone. */
export function serve(cwd: string, fromSnapshot: boolean): void {
  if (fromSnapshot) {
    forgetVersions();
    forgetOldResolutions();
  }
  const types = cellTypesIn(cwd);
  const patience = fromSnapshot ? patienceMs.warm : patienceMs.cold;
  let warmUp: NodeJS.Timeout | undefined = setTimeout(prepareEngine, patience);
  function prepareEngine(): void {
    warmUp = undefined;
    try {
      types.warmUp();
    } catch {
      // The first cell tells why.
    }
  }
  const send = (report: TypeReport): void => {
    try {
      writeBlocking(typeFds.answers, encodePacket<TypeReport>(report));
    } catch {
      process.exit(0); // The front is gone, so nobody would see the error.
    }
  };

  const reader = new PacketReader<TypeRequest>(({ body: request }) => {
    send(answerTo(types, request));
    types.afterAnswer();
    if (!warmUp) return;
    clearTimeout(warmUp);
    warmUp = setTimeout(prepareEngine, request.kind === "prepare" ? afterFirstCellMs : patience);
  });
  const requests = new Socket({ fd: typeFds.requests, readable: true, writable: false });
  requests.on("data", (chunk: Buffer) => reader.push(chunk));
  requests.on("end", () => process.exit(0));
  requests.on("error", () => process.exit(0));
  send({ t: "ready" });
}
