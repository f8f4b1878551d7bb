import assert from "node:assert/strict";
import { whenKernelIsThere, type RunCell, type RunCellOptions } from "turnwise-site/internal/page/early-runs";

// What JupyterLab's executor is asked, with stand-ins for its cells and the session of a notebook.

describe("cells that are run before their notebook has its kernel", () => {
  const ran: string[] = [];
  const note: RunCell = ({ cell }) => {
    ran.push((cell as Cell).name);
    return Promise.resolve(true);
  };
  // No test waits so long.
  const run = whenKernelIsThere(note, "turnwise", 600_000);
  beforeEach(() => void (ran.length = 0));

  class Cell {
    prompt = " ";
    readonly model: { readonly type: string };
    constructor(
      readonly name: string,
      type = "code",
    ) {
      this.model = { type };
    }
    setPrompt(text: string): void {
      this.prompt = text;
    }
  }

  /** A session whose kernel comes when the test says so. */
  function session(kernelName: string | null) {
    let come!: () => void;
    const context = {
      isReady: false,
      ready: new Promise<void>((resolve) => (come = resolve)),
      kernelPreference: { name: kernelName },
    };
    return { context, come };
  }
  const options = (cell: Cell, { context }: ReturnType<typeof session>): RunCellOptions => ({
    cell,
    sessionContext: context,
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it("show that they wait, and run in their order when it has come", async () => {
    const notebook = session("turnwise");
    const cells = [new Cell("first"), new Cell("second")];
    const ends = Promise.all(cells.map((cell) => run(options(cell, notebook))));
    await turn();
    assert.deepEqual(ran, []);
    assert.deepEqual(
      cells.map(({ prompt }) => prompt),
      ["*", "*"],
    );
    notebook.come();
    assert.deepEqual(await ends, [true, true]);
    assert.deepEqual(ran, ["first", "second"]);
  });

  it("wait for a notebook that is still being read, and one behind another for the same", async () => {
    const notebook = session(null);
    const first = run(options(new Cell("first"), notebook));
    await turn();
    notebook.context.kernelPreference.name = "turnwise";
    const second = run(options(new Cell("second"), notebook));
    await turn();
    assert.deepEqual(ran, []);
    notebook.come();
    await Promise.all([first, second]);
    assert.deepEqual(ran, ["first", "second"]);
  });

  it("are JupyterLab's when the notebook has been read and names no kernel, as it may ask for one", async () => {
    const notebook = session(null);
    const waits = run(options(new Cell("nameless"), notebook));
    await turn();
    assert.deepEqual(ran, [], "it may still be read");
    const hurried = whenKernelIsThere(note, "turnwise", 1);
    await hurried(options(new Cell("nameless"), session(null)));
    assert.deepEqual(ran, ["nameless"]);
    notebook.context.kernelPreference.name = "python";
    await waits;
  });

  it("do not wait for a kernel that was there and has gone, since JupyterLab then offers another", async () => {
    const notebook = session("turnwise");
    notebook.come();
    await run(options(new Cell("later"), notebook));
    assert.deepEqual(ran, ["later"]);
  });

  it("are JupyterLab's at once where they are no code, have no session, or want another kernel", async () => {
    const text = new Cell("text", "markdown");
    await run(options(text, session("turnwise")));
    const alone = new Cell("alone");
    await run({ cell: alone });
    const foreign = new Cell("foreign");
    await run(options(foreign, session("python")));
    assert.deepEqual(ran, ["text", "alone", "foreign"]);
    assert.deepEqual([text.prompt, alone.prompt, foreign.prompt], [" ", " ", " "]);
  });
});
