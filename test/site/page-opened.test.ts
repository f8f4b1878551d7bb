import assert from "node:assert/strict";
import { keepAddress } from "turnwise-site/internal/page/reader/address";
import { Arrival } from "turnwise-site/internal/page/reader/arrival";
import type { NotebookPanel, NotebookTracker } from "turnwise-site/internal/page/reader/jupyter";
import type { OwnFiles } from "turnwise-site/internal/page/reader/own";
import { cellWithHeading } from "turnwise-site/internal/page/reader/section";
import { keepUntouched } from "turnwise-site/internal/page/reader/untouched";

// What the plugin does with notebooks, with stand-ins for JupyterLab's: one was opened before the plugin was started, one comes later.

type Heard = (sender: unknown, change: { name: string; newValue: unknown }) => void;

/** A notebook whose only cell came with a link. */
class Notebook {
  readonly classes: string[] = [];
  renamed: () => void = () => undefined;
  changed: Heard | undefined;
  readonly model = {
    dirty: false,
    stateChanged: { connect: (heard: Heard) => (this.changed = heard), disconnect: () => undefined },
    toJSON: () => ({}),
  };
  readonly context;
  readonly content = {
    widgets: [
      {
        model: { getMetadata: () => ({ fromLink: true }) },
        addClass: (name: string) => this.classes.push(name),
      },
    ],
  };

  constructor(path: string) {
    this.context = {
      path,
      ready: Promise.resolve(),
      pathChanged: { connect: (heard: () => void) => (this.renamed = heard) },
      model: this.model,
    };
  }
}

describe("the section that an address names", () => {
  it("is the cell with that heading, whatever marks the heading has", () => {
    const sources = ["# Title", "", "text\n\n## 3. One *run* is `x`\n\nmore", "## Again"];
    assert.equal(cellWithHeading(sources, "3.-One-run-is-x"), 2);
    assert.equal(cellWithHeading(sources, "Title"), 0);
    assert.equal(cellWithHeading(sources, "text"), -1);
  });
});

describe("a plugin that is started after a notebook was opened", () => {
  const names = ["document", "location", "history"] as const;
  const given = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  const base = "https://some.site/course/";
  const [before, after] = [new Notebook("before.ipynb"), new Notebook("after.ipynb")];
  const location = { href: `${base}lab/index.html` };
  let added: ((sender: unknown, panel: NotebookPanel) => void)[] = [];
  const tracker = {
    currentWidget: before as unknown as NotebookPanel,
    forEach: (visit: (panel: NotebookPanel) => void) => visit(before as unknown as NotebookPanel),
    widgetAdded: { connect: (heard: (typeof added)[0]) => added.push(heard) },
    currentChanged: { connect: () => undefined },
  } satisfies NotebookTracker;
  /** Another one is opened. */
  const open = (): void => added.forEach((heard) => heard(tracker, after as unknown as NotebookPanel));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    added = [];
    Object.assign(globalThis, {
      document: { createElement: () => ({}), head: { append: () => undefined } },
      location,
      history: { state: null, replaceState: (_: unknown, __: string, url: string) => (location.href = url) },
    });
  });
  afterEach(() => {
    for (const [i, name] of names.entries()) {
      if (given[i]) Object.defineProperty(globalThis, name, given[i]);
      else Reflect.deleteProperty(globalThis, name);
    }
  });

  it("marks the cells that came with a link in both", async () => {
    new Arrival(tracker, {} as OwnFiles, {} as never, {} as never);
    open();
    await turn();
    assert.deepEqual(before.classes, ["turnwise-from-link"]);
    assert.deepEqual(after.classes, ["turnwise-from-link"]);
  });

  it("watches both for changes, and keeps the open one in the address", async () => {
    keepUntouched(tracker);
    keepAddress(base, tracker);
    assert.equal(location.href, `${base}lab/index.html?path=before.ipynb`);
    open();
    await turn();
    assert.ok(before.changed && after.changed);
    before.context.path = "mine/renamed & more.ipynb";
    before.renamed();
    assert.equal(new URL(location.href).searchParams.get("path"), "mine/renamed & more.ipynb");
  });
});
