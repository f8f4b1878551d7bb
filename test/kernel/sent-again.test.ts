import assert from "node:assert/strict";
import { SessionProcess } from "turnwise-kernel/dist/front/session-process.js";
import type { ExecuteCommand } from "turnwise-kernel/dist/session/messages.js";

const cell = (id: string, more: Partial<ExecuteCommand> = {}): ExecuteCommand => ({
  t: "execute",
  cell: id,
  name: `cell_${id}`,
  source: "",
  code: `console.log(${JSON.stringify(id)})`,
  map: [],
  vars: [],
  executionCount: 1,
  silent: false,
  allowStdin: false,
  expressions: {},
  ...more,
});

// A termination that was meant for an earlier cell may end the session's main thread as it reads the next one.
describe("a cell that is sent again", () => {
  it("runs if the first copy was lost, and once only if it was not", async () => {
    const heard: string[] = [];
    let settled: () => void = () => undefined;
    const session = new SessionProcess(
      {
        onReport: (report) => {
          if (report.t === "stream") heard.push(`prints ${report.text.trim()}`);
          if (report.t !== "done") return;
          heard.push(`done ${report.cell}`);
          settled();
        },
        onRawOutput: (_name, text) => heard.push(text),
        onDebugEvent: () => undefined,
        onHeld: () => undefined,
        onDeath: (how) => heard.push(how),
      },
      process.cwd(),
    );
    const run = (...copies: ExecuteCommand[]): Promise<void> =>
      new Promise((resolve) => {
        settled = resolve;
        for (const copy of copies) session.send(copy);
      });
    try {
      await run(cell("kept"), cell("kept", { again: true }));
      await run(cell("lost", { again: true }));
      // Late, when the cell is over.
      await run(cell("lost", { again: true }), cell("last"));
      assert.deepEqual(heard, [
        "prints kept",
        "done kept",
        "prints lost",
        "done lost",
        "prints last",
        "done last",
      ]);
    } finally {
      await session.stop({ now: true });
    }
  });
});
