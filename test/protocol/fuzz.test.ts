import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import { repository } from "../kernel/with-kernel.js";

const rounds = 20_000;
const askEvery = 500;
const types = [
  "execute_request",
  "complete_request",
  "inspect_request",
  "history_request",
  "is_complete_request",
  "comm_open",
  "comm_msg",
  "comm_close",
  "comm_info_request",
  "kernel_info_request",
  "interrupt_request",
  "debug_request",
  "create_subshell_request",
  "unknown_request",
  "input_reply",
  "",
];
const delimiter = Buffer.from("<IDS|MSG>");

/** A generator of its own: the same frames in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe("broken and hostile frames", function () {
  this.timeout(120_000);
  let kernel: KernelClient;
  before(async () => {
    kernel = await startKernel({
      cwd: repository,
      env: { ...process.env, TURNWISE_TYPES: "off" },
      startTimeoutMs: patient(30_000),
    });
  });
  after(() => kernel.shutdown());

  const sign = (parts: Buffer[]): Buffer => {
    const hmac = createHmac("sha256", kernel.process.info.key);
    parts.forEach((part) => hmac.update(part));
    return Buffer.from(hmac.digest("hex"));
  };

  it(`${rounds} mutated messages, and the kernel answers the next good one each time`, async () => {
    const random = numbers(7);
    const below = (n: number): number => Math.floor(random.next().value * n);
    const values: unknown[] = [
      null,
      0,
      -1,
      1e99,
      true,
      "",
      "x",
      [],
      {},
      [[]],
      { a: { b: null } },
      "\u0000",
      "\ud800",
    ];
    const value = (): unknown => values[below(values.length)];
    let last: Buffer[] | undefined;
    for (let i = 0; i < rounds; i++) {
      const msgType = types[below(types.length)]!;
      const content: Record<string, unknown> = {};
      for (const field of [
        "code",
        "cursor_pos",
        "silent",
        "user_expressions",
        "comm_id",
        "target_name",
        "data",
        "n",
        "hist_access_type",
        "pattern",
        "session",
        "value",
      ]) {
        if (below(2)) content[field] = value();
      }
      // Cells would be run: those that come here may only be texts that end at once.
      if (msgType === "execute_request") content.code = [5, null, "", "1", "((("][below(5)];
      const header = {
        msg_id: below(9) ? `fuzz-${i}` : value(),
        msg_type: msgType,
        session: value(),
        username: "",
        date: "",
        version: "5.4",
      };
      const parts = [header, value(), value(), below(9) ? content : value()].map((part) =>
        Buffer.from(JSON.stringify(part)),
      );
      let frames = [delimiter, sign(parts), ...parts];
      switch (below(8)) {
        case 0:
          frames = frames.slice(below(4), 2 + below(5));
          break;
        case 1:
          frames[1] = Buffer.from("0".repeat(below(70)));
          break;
        case 2: {
          const broken = parts.map((part) => (below(2) ? part.subarray(0, below(part.length)) : part));
          frames = [delimiter, sign(broken), ...broken];
          break;
        }
        case 3:
          if (last) frames = last;
          break;
        case 4:
          frames.push(Buffer.alloc(below(100)), Buffer.alloc(0));
      }
      last = frames;
      if (frames.length > 0) kernel.sendFrames(below(2) ? "shell" : "control", frames);
      if (i % askEvery === askEvery - 1) {
        const reply = await kernel.request(
          "shell",
          "kernel_info_request",
          {},
          { timeoutMs: patient(20_000) },
        );
        assert.equal(reply.content.status, "ok");
      }
    }
    // What is still queued may be an interrupt or a failing cell, which aborts the cells behind it: as it should.
    await kernel.execute("'last of the queue'", { timeoutMs: patient(20_000) });
    const result = await kernel.execute("'alive'", { timeoutMs: patient(20_000) });
    assert.equal(result.status, "ok");
  });

  it("a message of 50 MB, well and badly signed", async () => {
    const parts = ["{}", "{}", "{}", JSON.stringify({ data: "x".repeat(50_000_000) })].map((part) =>
      Buffer.from(part),
    );
    kernel.sendFrames("shell", [delimiter, sign(parts), ...parts]);
    kernel.sendFrames("shell", [delimiter, Buffer.from("0".repeat(64)), ...parts]);
    const reply = await kernel.request("shell", "kernel_info_request", {}, { timeoutMs: patient(20_000) });
    assert.equal(reply.content.status, "ok");
  });

  it("a well-signed request that arrives twice runs once", async () => {
    const header = Buffer.from(
      JSON.stringify({ msg_id: "twice", msg_type: "execute_request", session: "s" }),
    );
    const content = Buffer.from(JSON.stringify({ code: "globalThis.runs = (globalThis.runs ?? 0) + 1" }));
    const parts = [header, Buffer.from("{}"), Buffer.from("{}"), content];
    const frames = [delimiter, sign(parts), ...parts];
    kernel.sendFrames("shell", frames);
    kernel.sendFrames("shell", frames);
    const result = await kernel.execute("globalThis.runs");
    const output = result.outputs[0];
    assert.ok(output?.output_type === "execute_result");
    assert.equal(output.data["text/plain"], "1");
  });

  it("random bytes in place of frames", async () => {
    for (const frames of fc.sample(fc.array(fc.uint8Array(), { minLength: 1 }), { numRuns: 500, seed: 1 })) {
      kernel.sendFrames(
        "shell",
        frames.map((frame) => Buffer.from(frame)),
      );
    }
    const reply = await kernel.request("shell", "kernel_info_request", {}, { timeoutMs: patient(20_000) });
    assert.equal(reply.content.status, "ok");
  });
});
