import assert from "node:assert/strict";
import vm from "node:vm";
import { digests, type Digests } from "./digests.js";
import { functionDigest, functionNames } from "./functionDigests.js";
import { scriptForPages } from "./forPages.js";
import { read, renew, runsOf } from "./stored.js";

/** Arguments for each function that training uses; the tests with other engines ask for ten times as many. */
const count = 1e6;

describe("this engine, on a million arguments and twenty chaotic runs", function () {
  this.timeout(240_000);
  let own: Digests;

  before(async () => {
    own = await digests(count);
    if (process.env.TURNWISE_RENEW) renew(own, count);
  });

  it("computes the stored values of every function, bit by bit", () => {
    assert.deepEqual(own.functions, read().functions[count]);
  });

  it("trains as stored, bit by bit", () => {
    const runs = runsOf(own);
    assert.deepEqual(
      runs,
      read().runs,
      "should the rule or the worlds have changed: TURNWISE_RENEW=1 npm test -- test/engines",
    );
    assert.equal(new Set(Object.values(runs)).size, 20);
  });

  // What runs in browsers in the matrix; a script that does not load would fail there alone.
  it("computes the same with the library's build for pages", async () => {
    const { atob, performance, SharedArrayBuffer, setTimeout, TextDecoder, TextEncoder } = globalThis;
    const open: MessagePort[] = [];
    // Node waits for open ports, where a page goes with them.
    class Channel extends MessageChannel {
      constructor() {
        super();
        open.push(this.port1);
      }
    }
    const page = vm.createContext({
      ...{ atob, performance, SharedArrayBuffer, setTimeout, TextDecoder, TextEncoder },
      MessageChannel: Channel,
    });
    vm.runInContext(`self = globalThis; WorkerGlobalScope = Object;\n${scriptForPages()}`, page);
    const [run] = Object.keys(own.runs);
    const told = JSON.parse(
      JSON.stringify(await (vm.runInContext(`engine.digests(1000, ["${run}"])`, page) as Promise<Digests>)),
    ) as Digests;
    for (const port of open) port.close();
    assert.deepEqual(told.runs[run!], own.runs[run!]);
    for (const name of functionNames) assert.equal(told.functions[name], functionDigest(name, 1000), name);
  });
});
