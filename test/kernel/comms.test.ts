import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, Message } from "turnwise-kernel";
import { patient } from "../support/patient.js";
import { plain, resultText, runIn, sharedKernel, started, streamText } from "./with-kernel.js";

describe("comms", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  it("with an unknown target are closed before they are idle, also while a cell computes", async () => {
    const told: string[] = [];
    const ids: string[] = [];
    const idle = (): boolean => ids.every((id) => told.includes(`${id} idle`));
    const stop = kernel().onMessage(({ header, parent, content }) => {
      const state = header.msg_type === "status" ? String(content.execution_state) : header.msg_type;
      if (ids.includes(parent.msg_id ?? "")) told.push(`${parent.msg_id} ${state}`);
    });
    const open = (comm: string, target: string): number =>
      ids.push(kernel().send("shell", "comm_open", { comm_id: comm, target_name: target, data: {} }));
    for (let i = 0; i < 20; i++) open(`stray-${i}`, "nobody");
    const { result } = await started(kernel(), "const end = Date.now() + 300; while (Date.now() < end);");
    for (let i = 20; i < 40; i++) open(`stray-${i}`, "toString");
    await result;
    while (!idle()) await sleep(5);
    stop();
    for (const id of ids) {
      const own = told.filter((one) => one.startsWith(`${id} `)).map((one) => one.split(" ")[1]);
      assert.deepEqual(own, ["busy", "comm_close", "idle"]);
    }
    const { content } = await kernel().request("shell", "comm_info_request", {});
    assert.ok(!Object.keys(content.comms as JsonObject).some((id) => id.startsWith("stray")));
  });
});

describe("comms of cells", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const run = runIn(kernel);
  let told: Message[] = [];
  let stop = (): void => undefined;
  beforeEach(() => {
    told = [];
    stop = kernel().onMessage((message) => {
      if (message.header.msg_type.startsWith("comm_")) told.push(message);
    });
  });
  afterEach(() => stop());

  const info = async (): Promise<JsonObject> =>
    (await kernel().request("shell", "comm_info_request", {})).content.comms as JsonObject;
  const send = (type: string, content: JsonObject, buffers: Buffer[] = []): string =>
    kernel().send("shell", type, content, { buffers });
  const until = async (holds: () => boolean): Promise<void> => {
    const end = Date.now() + patient(10_000);
    while (!holds() && Date.now() < end) await sleep(5);
    assert.ok(holds());
  };

  it("open, send and close with data, metadata and buffers, and are listed while they are open", async () => {
    await run(`const raw = createComm({ target: "probe", id: "raw", data: { a: 1 }, metadata: { version: "1" }, buffers: [new Uint8Array([1, 2]).buffer] });
raw.send({ b: [2, { c: null }] }, { metadata: { m: 1 }, buffers: [Float32Array.of(1), new DataView(new Uint8Array([7, 8, 9]).buffer, 1, 1)] })`);
    assert.deepEqual((await info()).raw, { target_name: "probe" });
    await run("raw.close({ bye: true }); raw.close()");
    assert.ok(!("raw" in (await info())));
    assert.deepEqual(
      told.map(({ header, content, metadata, buffers }) => [header.msg_type, content, metadata, buffers]),
      [
        [
          "comm_open",
          { comm_id: "raw", target_name: "probe", data: { a: 1 } },
          { version: "1" },
          [Buffer.of(1, 2)],
        ],
        // 1 as a float32 in little endian is 00 00 80 3f.
        [
          "comm_msg",
          { comm_id: "raw", data: { b: [2, { c: null }] } },
          { m: 1 },
          [Buffer.of(0, 0, 0x80, 0x3f), Buffer.of(8)],
        ],
        ["comm_close", { comm_id: "raw", data: { bye: true } }, {}, []],
      ],
    );
  });

  it("hear the front end while a later cell awaits, and its output belongs to the message", async () => {
    await run(`const ear = createComm({ target: "probe", id: "ear" });
const heard: unknown[] = [];
ear.onMessage(({ data, buffers }) => { heard.push([data.n, ...buffers.map((one) => [...one])]); console.log("heard", data.n) });
ear.on("message", ({ data }) => { if (data.n === 1) throw new Error("one listener") });
ear.onMessage = ({ data }) => { if (data.n === 2) end() };
let end = () => {};
ear.onClose = () => { heard.push("closed") };`);
    const { result } = await started(
      kernel(),
      "await new Promise<void>((done) => { end = done }); heard.length",
    );
    const printed: Message[] = [];
    const off = kernel().onMessage((message) => {
      if (message.header.msg_type === "stream") printed.push(message);
    });
    const first = send("comm_msg", { comm_id: "ear", data: { n: 1 } }, [Buffer.of(5)]);
    send("comm_msg", { comm_id: "ear", data: { n: 2 } });
    assert.equal(resultText(await result), "2");
    send("comm_close", { comm_id: "ear", data: {} });
    assert.equal(
      resultText(await run("JSON.stringify([heard, ear.isOpen])")),
      "'[[[1,[5]],[2],\"closed\"],false]'",
    );
    off();
    const own = printed
      .filter(({ parent }) => parent.msg_id === first)
      .map(({ content }) => String(content.text));
    assert.match(own.join(""), /^heard 1\n[^]*one listener/);
    const closed = await kernel().execute("ear.send({})");
    assert.equal(
      closed.error!.evalue,
      'Cannot send on the comm "probe": it must be open, but the front end has closed it.',
    );
  });

  it("keep what arrives before somebody listens, and forget a listener that is taken away", async () => {
    await run('const late = createComm({ target: "probe", id: "late" }); const got: unknown[] = [];');
    send("comm_msg", { comm_id: "late", data: { n: 1 } });
    await run("const off = late.on('message', ({ data }) => got.push(data.n)); await 0;");
    send("comm_msg", { comm_id: "late", data: { n: 2 } });
    await run("off()");
    send("comm_msg", { comm_id: "late", data: { n: 3 } });
    assert.equal(resultText(await run("got.join()")), "'1,2'");
  });

  it("are taken for a target that a cell has registered, until it takes that back", async () => {
    await run(`const taken = registerTarget("asks", (comm, { data, buffers }) => {
  if (data.fail) throw new Error("not today");
  comm.onMessage = ({ data }) => comm.send({ twice: 2 * (data.n as number) }, { buffers });
})`);
    send("comm_open", { comm_id: "from-page", target_name: "asks", data: {} }, [Buffer.of(3)]);
    send("comm_msg", { comm_id: "from-page", data: { n: 21 } });
    await until(() => told.length > 0);
    assert.deepEqual(told[0]!.content, { comm_id: "from-page", data: { twice: 42 } });
    assert.deepEqual(told[0]!.buffers, [Buffer.of(3)]);
    assert.deepEqual((await info())["from-page"], { target_name: "asks" });
    send("comm_open", { comm_id: "failed", target_name: "asks", data: { fail: true } });
    await until(() => told.some(({ content }) => content.comm_id === "failed"));
    await run("taken()");
    send("comm_open", { comm_id: "refused", target_name: "asks", data: {} });
    await until(() => told.some(({ content }) => content.comm_id === "refused"));
    assert.deepEqual(
      told.slice(1).map(({ header, content }) => [header.msg_type, content.comm_id]),
      [
        ["comm_close", "failed"],
        ["comm_close", "refused"],
      ],
    );
    assert.ok(!("failed" in (await info())));
  });

  it("broadcast any message, under the running cell", async () => {
    const { outputs } = await run(
      `await broadcast("display_data", { data: { "text/html": "<b>1</b>" }, transient: { display_id: "cast" } });
await broadcast("update_display_data", { data: { "text/html": "<b>2</b>" }, transient: { display_id: "cast" } });
await broadcast("comm_open", { comm_id: "cast", target_name: "probe", data: {} }, { metadata: { version: "2.1.0" }, buffers: [new Uint8Array([1])] });`,
    );
    assert.deepEqual(outputs, [
      { output_type: "display_data", data: { "text/html": "<b>2</b>" }, metadata: {} },
    ]);
    assert.deepEqual([told[0]!.metadata, told[0]!.buffers], [{ version: "2.1.0" }, [Buffer.of(1)]]);
    assert.ok("cast" in (await info()));
    await run('await broadcast("comm_close", { comm_id: "cast", data: {} })');
    assert.ok(!("cast" in (await info())));
  });

  it("name what must hold", async () => {
    const wrong: readonly [code: string, evalue: string][] = [
      ["createComm({ data: {} })", "Cannot open the comm: target must be a string, got undefined."],
      ['createComm({ target: "" })', "Cannot open the comm: target must not be empty."],
      [
        'createComm({ target: "x", targets: 1 })',
        'Cannot open the comm: its options are target, data, metadata, buffers and id, got "targets".',
      ],
      ['createComm({ target: "x", data: [1] })', "Cannot open the comm: data must be an object, got a list."],
      [
        'createComm({ target: "x", data: { a: [{ f: () => 1 }] } })',
        "Cannot open the comm: data.a[0].f must be JSON, got a function.",
      ],
      ['createComm({ target: "x", data: { n: 1n } })', "Cannot open the comm: data.n must be JSON, got 1n."],
      [
        'const loop = {}; loop.self = { loop }; createComm({ target: "x", data: loop })',
        "Cannot open the comm: data.self.loop must be JSON, but it contains itself.",
      ],
      [
        'createComm({ target: "x", data: { bytes: new Uint8Array(1) } })',
        "Cannot open the comm: data.bytes must be JSON, got binary data, which belongs in { buffers }.",
      ],
      [
        'createComm({ target: "x", buffers: [[1, 2]] })',
        "Cannot open the comm: buffers[0] must be an ArrayBuffer or a view of one, got a list.",
      ],
      [
        'createComm({ target: "x", id: "same" }); createComm({ target: "x", id: "same" })',
        'Cannot open the comm: its id must be a new one, but "same" is open.',
      ],
      [
        'createComm({ target: "x" }).on("msg", () => 1)',
        'Cannot listen to the comm "x": the event must be message or close, got "msg".',
      ],
      [
        'createComm({ target: "x" }).onMessage = 1',
        'Cannot listen to the comm "x": the listener must be a function, got 1.',
      ],
      [
        'registerTarget("jupyter.widget.control", () => 1)',
        "Cannot register a target: its name must not be jupyter.widget or jupyter.widget.control, which the kernel serves itself.",
      ],
      ['registerTarget("x", "y")', 'Cannot register the target "x": onOpen must be a function, got "y".'],
      [
        'await broadcast("status", { execution_state: "idle" })',
        "Cannot broadcast status: the type must not be status, execute_input, iopub_welcome, which report the kernel's own state.",
      ],
      [
        'await broadcast("comm_msg", {})',
        "Cannot broadcast comm_msg: content.comm_id must be a string, got undefined.",
      ],
    ];
    for (const [code, evalue] of wrong) {
      const { error } = await kernel().execute(`// @ts-nocheck\n{ ${code} }`);
      assert.equal(error?.evalue, evalue, code);
    }
    // What could not be opened is not listed.
    const left = Object.values(await info()).filter((one) => (one as JsonObject).target_name === "x");
    assert.equal(left.length, 3);
  });

  it("are typed, documented and completed, and give way to names of the notebook", async () => {
    const mistyped = await kernel().execute("createComm({ target: 1 })");
    assert.match(plain(mistyped.error!.traceback), /'number' is not assignable to type 'string'/);
    const { outputs } = await run("help(createComm)");
    assert.match(JSON.stringify(outputs), /Opens a comm/);
    const { content } = await kernel().request("shell", "complete_request", {
      code: "createC",
      cursor_pos: 7,
    });
    assert.ok((content.matches as string[]).includes("createComm"));
    const imported = 'import { createComm as open, type Comm } from "turnwise-kernel"; open === createComm';
    assert.equal(resultText(await run(imported)), "true");
    const own = await run("function broadcast(n: number) { return n + 1 }; console.log(broadcast(1))");
    assert.equal(streamText(own), "2\n");
  });
});
