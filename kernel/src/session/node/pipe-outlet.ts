import { bytesOf } from "../../protocol/encoded.js";
import { encodePacket, rest, writeBlocking } from "../../process/pipe.js";
import type { SessionReport } from "../messages.js";
import type { Outlet } from "../output.js";
import { slot } from "../state.js";

/** The file descriptors that the front opens for a session. */
export const fds = { out: 3, commands: 4, control: 5 } as const;

/** An announced termination comes within a millisecond, or not at all. */
const longestWaitMs = 1_000;

/** Writes reports to the front's pipe; each call returns when the bytes have left. */
export function pipeOutlet(fd: number, state: Int32Array): Outlet {
  /** Claims the pipe, unless V8 is about to end this thread, which then happens here first. */
  const enter = (): void => {
    Atomics.store(state, slot.writing, 1);
    for (let turn = 0; turn < longestWaitMs && Atomics.load(state, slot.ending) === 1; turn++) {
      Atomics.store(state, slot.writing, 0);
      rest(1);
      Atomics.store(state, slot.writing, 1);
    }
  };
  return (report, buffers, sent) => {
    const packet = encodePacket<SessionReport>(...apart(report, buffers));
    enter();
    try {
      writeBlocking(fd, packet);
      sent();
    } finally {
      Atomics.store(state, slot.writing, 0);
    }
  };
}

/** Output in the form in which it goes to the front ends: megabytes become JSON once, and the front end need not read them. */
function apart(
  report: SessionReport,
  buffers: readonly Uint8Array[],
): [SessionReport, readonly Uint8Array[]] {
  if (report.t !== "iopub" || report.msgType.startsWith("comm_")) return [report, buffers];
  return [{ ...report, content: {}, encoded: true }, [bytesOf(report.content), ...buffers]];
}
