import assert from "node:assert/strict";
import type { Message } from "turnwise-kernel";
import { plain, sharedKernel, started } from "./with-kernel.js";

describe("requests beside cells", function () {
  this.timeout(90_000);
  const kernel = sharedKernel();
  const ask = async (type: string, content: Record<string, unknown>): Promise<Message["content"]> =>
    (await kernel().request("shell", type, content)).content;
  /** The statuses of one request. IOPub keeps its order, so the idle of a later request tells that all were heard. */
  const statesOf = async (type: string): Promise<unknown[]> => {
    const heard: [string | undefined, unknown][] = [];
    let last = "";
    let allHeard: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      allHeard = resolve;
    });
    const stop = kernel().onMessage((message) => {
      heard.push([message.parent.msg_id, message.content.execution_state]);
      if (message.parent.msg_id === last && message.content.execution_state === "idle") allHeard();
    });
    const id = kernel().send("shell", type, {});
    last = kernel().send("shell", "kernel_info_request", {});
    await done;
    stop();
    return heard.filter(([parent]) => parent === id).map(([, state]) => state);
  };

  it("kernel_info names language, versions and help", async () => {
    const reply = await kernel().request("shell", "kernel_info_request", {});
    const info = reply.content as {
      language_info: Record<string, unknown>;
      help_links: unknown[];
      protocol_version: string;
    };
    assert.equal(reply.header.version, info.protocol_version, "header and content name the same protocol");
    assert.equal(info.language_info.name, "typescript");
    assert.equal(info.language_info.version, "5.9.3");
    assert.equal(info.language_info.file_extension, ".ts");
    assert.ok(info.help_links.length > 0);
  });

  it("answers each request between a busy and an idle status of its own", async () => {
    assert.deepEqual(await statesOf("comm_info_request"), ["busy", "idle"]);
  });

  it("completes members with their kinds, and earlier names", async () => {
    await kernel().execute(
      "const agent = { policy: 'greedy', step(n: number) { return n } }; const größe = 1",
    );
    const members = await ask("complete_request", { code: "agent.po", cursor_pos: 8 });
    assert.deepEqual(members.matches, ["policy"]);
    assert.equal(members.cursor_start, 6);
    assert.equal(members.cursor_end, 8);
    const metadata = members.metadata as { _jupyter_types_experimental: unknown[] };
    assert.deepEqual(metadata._jupyter_types_experimental, [
      { text: "policy", type: "property", start: 6, end: 8 },
    ]);
    assert.deepEqual((await ask("complete_request", { code: "age", cursor_pos: 3 })).matches, ["agent"]);
    assert.deepEqual((await ask("complete_request", { code: "agent.", cursor_pos: 6 })).matches, [
      "policy",
      "step",
    ]);
  });

  it("counts the cursor in characters, not in UTF-16 units", async () => {
    // The smiley is one character and two units.
    const reply = await ask("complete_request", { code: "'\u{1F600}'; grö", cursor_pos: 8 });
    assert.deepEqual(reply.matches, ["größe"]);
    assert.equal(reply.cursor_start, 5);
    assert.equal(reply.cursor_end, 8);
  });

  it("inspects a name as plain text and as Markdown, with its documentation", async () => {
    await kernel().execute("/** Doubles a number. */\nfunction double(x: number): number { return 2 * x }");
    const reply = await ask("inspect_request", { code: "double(2)", cursor_pos: 3, detail_level: 0 });
    assert.equal(reply.found, true);
    const data = reply.data as Record<string, string>;
    assert.match(data["text/plain"]!, /double\(x: number\): number/);
    assert.match(data["text/plain"]!, /Doubles a number\./);
    assert.match(data["text/markdown"]!, /```typescript\n[\s\S]*Doubles a number\./);
    const library = await ask("inspect_request", { code: "[1].map(String)", cursor_pos: 6, detail_level: 0 });
    assert.match(
      (library.data as Record<string, string>)["text/plain"]!,
      /Calls a defined callback function on each element/,
    );
    const none = await ask("inspect_request", { code: "   ", cursor_pos: 1, detail_level: 0 });
    assert.deepEqual([none.status, none.found], ["ok", false]);
  });

  it("completes and inspects while a cell blocks the session", async () => {
    const { result } = await started(kernel(), "while (true) {}");
    assert.deepEqual((await ask("complete_request", { code: "agent.s", cursor_pos: 7 })).matches, ["step"]);
    assert.equal(
      (await ask("inspect_request", { code: "agent", cursor_pos: 2, detail_level: 0 })).found,
      true,
    );
    await kernel().interrupt();
    await result;
  });

  it("tells complete, incomplete and invalid code apart", async () => {
    const verdict = async (code: string): Promise<unknown> =>
      (await ask("is_complete_request", { code })).status;
    for (const code of ["1 + 1", "const a = 1", "await 0", "function f() {}\n", "for (;;) { break }\n\n"]) {
      assert.equal(await verdict(code), "complete", code);
    }
    for (const code of ["function f() {", "[1, 2", "`open", "foo(", "/* comment", "if (a) {"]) {
      assert.equal(await verdict(code), "incomplete", code);
    }
    for (const code of ["let let = )", "1 +* 2", "}"]) assert.equal(await verdict(code), "invalid", code);
    assert.deepEqual(await ask("is_complete_request", { code: "if (a) {" }), {
      status: "incomplete",
      indent: "  ",
    });
  });

  it("takes questions and magics for what they are", async () => {
    const verdict = async (code: string): Promise<unknown> =>
      (await ask("is_complete_request", { code })).status;
    const complete = [
      ...["obj?", "?obj", "obj.key??", "%help?", "/* why */ parseInt?", "// why\nparseInt?"],
      ...["%types off", "%timeit 1 + 1", "!ls", "%%sh\nls", "%%module a.ts\n\n", "%%time\n1", "exit"],
    ];
    for (const code of complete) assert.equal(await verdict(code), "complete", code);
    for (const code of [
      "a ? b",
      "let x = a ?",
      "%%module a.ts",
      "%%time\n",
      "%%sh",
      "%time f(",
      "%%timeit\nif (1) {",
    ])
      assert.equal(await verdict(code), "incomplete", code);
    for (const code of ["%nonsense", "%%nonsense\n1"]) assert.equal(await verdict(code), "invalid", code);
  });

  it("answers a question below a comment", async () => {
    for (const code of ["/* why */ parseInt?", "// why\n?parseInt"]) {
      const { content } = (await kernel().execute(code)).reply;
      const [page] = content.payload as { source: string; data: Record<string, string> }[];
      assert.equal(page!.source, "page", code);
      assert.match(page!.data["text/plain"]!, /^function parseInt\(string: string/, code);
    }
  });

  it("gives its history by tail, range and search", async () => {
    const { executionCount } = await kernel().execute("const remembered = 'needle'");
    await kernel().execute("'silent'", { silent: true });
    const tail = (await ask("history_request", { hist_access_type: "tail", n: 1, raw: true, output: false }))
      .history as [number, number, string][];
    assert.deepEqual(
      tail.map(([, line, source]) => [line, source]),
      [[executionCount, "const remembered = 'needle'"]],
    );
    const range = (
      await ask("history_request", {
        hist_access_type: "range",
        session: 0,
        start: executionCount,
        stop: executionCount + 1,
        raw: true,
        output: false,
      })
    ).history as unknown[];
    assert.equal(range.length, 1);
    const search = (
      await ask("history_request", {
        hist_access_type: "search",
        pattern: "*needle*",
        raw: true,
        output: false,
        n: 10,
      })
    ).history as unknown[];
    assert.equal(search.length, 1);
  });

  it("takes the name of a method of all objects for an unknown request", async () => {
    for (const type of ["toString", "constructor", "__proto__"]) {
      assert.deepEqual(await statesOf(type), ["busy", "idle"], type);
    }
  });

  it("says that it has no subshells", async () => {
    const reply = await ask("create_subshell_request", {});
    assert.equal(
      reply.evalue,
      "Cannot open or close a subshell: this kernel has none. It answers everything but cells while a cell runs.",
    );
    assert.deepEqual((await ask("list_subshell_request", {})).subshell_id, []);
    // JupyterLab asks only kernels for one that announce this feature.
    const { supported_features } = (await kernel().request("shell", "kernel_info_request", {})).content;
    assert.ok(!(supported_features as string[]).includes("kernel subshells"));
  });

  it("gives an unknown request its status and no reply", async () => {
    assert.deepEqual(await statesOf("make_coffee_request"), ["busy", "idle"]);
  });

  it("answers a request with wrong types in its content with an error", async () => {
    const reply = await ask("complete_request", { code: 5, cursor_pos: "x" });
    assert.equal(reply.status, "error");
    assert.equal(reply.evalue, "Cannot read the request: code must be a string, got number.");
    const cell = await kernel().request("shell", "execute_request", { code: null });
    assert.equal(cell.content.ename, "TypeError");
  });
});

describe("types", function () {
  this.timeout(90_000);
  const kernel = sharedKernel();

  it("stop a cell before it runs, with line, caret and TypeScript's code", async () => {
    const result = await kernel().execute("console.log('must not be printed')\nconst n: number = 'text'");
    assert.equal(result.error!.ename, "TypeScriptError");
    assert.equal(
      result.error!.evalue,
      `cell_${result.executionCount}.ts:2:7 - TS2322: Type 'string' is not assignable to type 'number'.`,
    );
    const text = plain(result.error!.traceback);
    assert.match(text, /2 \| const n: number = 'text'\n\s+\| {7}\^/);
    assert.equal(result.outputs.length, 1);
  });

  it("reach across cells: an assignment in a later cell is checked", async () => {
    await kernel().execute("let rate = 0.1; const fixed = 1; interface Env { step(): number }");
    assert.match((await kernel().execute("rate = 'fast'")).error!.evalue, /TS2322/);
    assert.match((await kernel().execute("fixed = 2")).error!.evalue, /TS2588/);
    assert.match((await kernel().execute("const env: Env = {}")).error!.evalue, /TS2741/);
    assert.equal((await kernel().execute("rate = 2")).status, "ok");
  });

  it("know nothing of a cell that was refused", async () => {
    await kernel().execute("const refused: number = 'x'");
    assert.match((await kernel().execute("refused")).error!.evalue, /TS2304: Cannot find name 'refused'/);
  });

  it("are relaxed by // @ts-nocheck for a cell and by %types for the session", async () => {
    assert.equal((await kernel().execute("// @ts-nocheck\nconst loose: number = 'x'; loose")).status, "ok");
    const warned = await kernel().execute("%types warn\nconst warned: number = 'x'");
    assert.equal(warned.status, "ok");
    assert.match(JSON.stringify(warned.outputs), /TS2322/);
    assert.deepEqual((await kernel().execute("%types off\nconst off: number = 'x'")).outputs, []);
    assert.equal((await kernel().execute("%types error\nconst on: number = 'x'")).status, "error");
    const wrong = await kernel().execute("%types sometimes");
    assert.equal(
      wrong.error!.evalue,
      'Cannot set the type policy: %types must be followed by strict, error, warn or off, got "sometimes".',
    );
  });

  it("report a syntax error under every policy", async () => {
    const result = await kernel().execute("// @ts-nocheck\nconst = 5");
    assert.equal(result.error!.ename, "SyntaxError");
    assert.match(result.error!.evalue, /cell_\d+\.ts:2:7 - TS1134/);
  });
});
