import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "turnwise-kernel";
import { sharedKernel, started } from "./with-kernel.js";

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
