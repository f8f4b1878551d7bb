import type { KernelClient } from "turnwise-kernel";
import { startForTrials } from "./interrupts/battery.js";
import { more, rows } from "./interrupts/rows.js";
import { rounds, tryEach } from "./interrupts/trials.js";

describe("interrupt in all ways", function () {
  this.timeout(120_000);
  let client: KernelClient | undefined;
  before(async () => {
    client = await startForTrials();
  });
  after(() => client?.shutdown());

  tryEach([...rows, ...more], () => client!, rounds);
});
