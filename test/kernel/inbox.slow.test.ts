import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { SessionProcess } from "turnwise-kernel/dist/front/session-process.js";
import type { SessionReport } from "turnwise-kernel/dist/session/messages.js";
import { patient } from "../support/patient.js";

const rounds = 10;

type Done = SessionReport & { t: "done" };

/** A session whose cells give what they have printed. */
class Trial {
  private printed = "";
  private settle: (done: Done) => void = () => undefined;
  private cells = 0;
  readonly session = new SessionProcess(
    {
      onReport: (report) => {
        if (report.t === "stream") this.printed += report.text;
        if (report.t === "done") this.settle(report);
      },
      onRawOutput: (_name, text) => (this.printed += text),
      onDebugEvent: () => undefined,
      onHeld: () => undefined,
      onDeath: (how) => assert.fail(how),
    },
    process.cwd(),
  );

  async run(code: string): Promise<string> {
    this.printed = "";
    const id = `trial_${++this.cells}`;
    const { error } = await new Promise<Done>((resolve) => {
      this.settle = resolve;
      this.session.send({
        t: "execute",
        cell: id,
        name: `cell_${id}`,
        source: "",
        code,
        map: [],
        vars: [],
        executionCount: 1,
        silent: false,
        allowStdin: false,
        expressions: {},
      });
    });
    assert.equal(error, null);
    return this.printed;
  }
}

describe("comm messages around a termination", function () {
  this.timeout(patient(rounds * 6_000));

  it("all arrive once and in their order, small and large", async () => {
    const trial = new Trial();
    const { session } = trial;
    try {
      await trial.run(`globalThis.heard = [];
require("turnwise-kernel").registerTarget("heard", (comm) => { comm.onMessage = ({ data }) => heard.push(data.i); });`);
      const open = { comm_id: "one", target_name: "heard", data: {} };
      session.send({ t: "comm", type: "comm_open", id: "", content: open, metadata: {} });
      let sent = 0;
      for (let round = 0; round < rounds; round++) {
        const first = sent;
        // What it leaves behind is just over when V8 is asked to end it.
        await trial.run(`setTimeout(new Function(\`const end = performance.now() + ${300 + 8 * round};
while (performance.now() < end);\`), 0);`);
        await wait(20);
        session.interrupt();
        for (const until = performance.now() + 500; performance.now() < until; await wait(10))
          for (let i = 0; i < 5; i++, sent++) {
            const data = { i: sent, text: "x".repeat(sent % 50 === 0 ? 300_000 : 200) };
            const content = { comm_id: "one", data };
            session.send({ t: "comm", type: "comm_msg", id: "", content, metadata: {} });
          }
        await wait(300);
        const heard = JSON.parse(await trial.run("console.log(JSON.stringify(heard.splice(0)))")) as number[];
        assert.deepEqual(
          heard,
          Array.from({ length: sent - first }, (_, i) => first + i),
          `round ${round}`,
        );
      }
    } finally {
      await session.stop({ now: true });
    }
  });
});
