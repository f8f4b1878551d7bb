import assert from "node:assert/strict";
import { startAhead, takeWorker } from "turnwise-site/internal/page/ahead";
import { whenNear, type RendererFactory } from "turnwise-site/internal/page/charts";

// What a page does before it is asked, and what it leaves for later, with stand-ins for a browser's classes.

class Worker {
  static readonly started: Worker[] = [];
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    Worker.started.push(this);
  }
}

/** An element comes into sight when the test says so. */
class IntersectionObserver {
  static readonly all: IntersectionObserver[] = [];
  isWatching = true;

  constructor(private readonly told: (entries: { isIntersecting: boolean }[]) => void) {
    IntersectionObserver.all.push(this);
  }

  observe(): void {
    this.tell(false);
  }

  disconnect(): void {
    this.isWatching = false;
  }

  tell(isIntersecting: boolean): void {
    if (this.isWatching) this.told([{ isIntersecting }]);
  }
}

type Renderer = ReturnType<RendererFactory["createRenderer"]>;

describe("a page that opens a notebook", () => {
  const names = { Worker, IntersectionObserver };
  const before_ = new Map<string, PropertyDescriptor | undefined>();

  before(() => {
    for (const [name, value] of Object.entries(names)) {
      before_.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  });
  after(() => {
    for (const [name, descriptor] of before_)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
  });

  it("hands a worker that was started ahead to the first who asks, and starts one for the next", () => {
    startAhead(["cells.js"]);
    const [ahead] = Worker.started.slice(-1);
    const first = takeWorker("cells.js");
    assert.equal(first.worker as unknown, ahead);
    assert.equal(first.isAhead, true);
    const second = takeWorker("cells.js");
    assert.notEqual(second.worker, first.worker);
    assert.equal(second.isAhead, false);
  });

  it("starts a worker again where the one that was started ahead has failed, so that its kernel hears why", () => {
    startAhead(["gone.js"]);
    const [failed] = Worker.started.slice(-1);
    failed!.onerror!();
    const { worker, isAhead } = takeWorker("gone.js");
    assert.notEqual(worker as unknown, failed);
    assert.equal(isAhead, false);
  });

  /** A renderer that notes what it draws. */
  function renderer(): { chart: Renderer; drawn: unknown[]; sight: () => IntersectionObserver } {
    const drawn: unknown[] = [];
    const factory = {
      createRenderer: () => ({
        node: { style: {} },
        isDisposed: false,
        renderModel: (model: unknown) => {
          drawn.push(model);
          return Promise.resolve();
        },
      }),
    } as unknown as RendererFactory;
    const chart = whenNear(factory).createRenderer({});
    return { chart, drawn, sight: () => IntersectionObserver.all.at(-1)! };
  }

  const model = (name: string) => ({ data: { name, "image/svg+xml": '<svg width="9" height="372">' } });

  it("draws a chart when it comes near, and keeps its place until then", async () => {
    const { chart, drawn, sight } = renderer();
    await chart.renderModel(model("one"));
    assert.deepEqual(drawn, []);
    assert.equal(chart.node.style.minHeight, "372px");
    sight().tell(true);
    await Promise.resolve();
    assert.deepEqual(drawn, [model("one")]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(chart.node.style.minHeight, "");
  });

  it("draws of a chart that has changed meanwhile the latest alone, and each change after that at once", async () => {
    const { chart, drawn, sight } = renderer();
    await chart.renderModel(model("one"));
    await chart.renderModel(model("two"));
    sight().tell(true);
    assert.deepEqual(drawn, [model("two")]);
    await chart.renderModel(model("three"));
    assert.deepEqual(drawn, [model("two"), model("three")]);
    assert.equal(sight().isWatching, false);
  });

  it("draws nothing that is gone before it comes near", async () => {
    const { chart, drawn, sight } = renderer();
    await chart.renderModel(model("one"));
    Object.assign(chart, { isDisposed: true });
    sight().tell(true);
    assert.deepEqual(drawn, []);
  });
});
