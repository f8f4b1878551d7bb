import assert from "node:assert/strict";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Subscriber } from "zeromq";
import { Sockets } from "turnwise-kernel/dist/front/sockets.js";
import { endpoint, type ConnectionInfo } from "turnwise-kernel/dist/protocol/connection.js";
import { Wire } from "turnwise-kernel/dist/protocol/wire.js";
import { temporaryFolder } from "../kernel/with-kernel.js";

describe("the welcome of a subscriber", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const connection = (): ConnectionInfo => ({
    transport: "ipc",
    ip: path.join(folder(), "k"),
    shell_port: 1,
    iopub_port: 2,
    stdin_port: 3,
    control_port: 4,
    hb_port: 5,
    key: "secret",
    signature_scheme: "hmac-sha256",
  });

  it("is the first message that it gets, however much is being published, and nothing after it is missing", async () => {
    const info = connection();
    const sockets = new Sockets(info, "session");
    await sockets.bind();
    sockets.listen(() => undefined);
    let isOpen = true;
    let count = 0;
    const publishing = (async () => {
      while (isOpen) {
        for (let i = 0; i < 20; i++) sockets.publish("status", { count: count++ }, {});
        await wait(0);
      }
    })();
    try {
      for (let subscriber = 0; subscriber < 100; subscriber++) {
        const reader = new Subscriber({ receiveHighWaterMark: 0 });
        reader.connect(endpoint(info, "iopub"));
        reader.subscribe("");
        const wire = new Wire(info.key, info.signature_scheme);
        const read = async (): Promise<[string, unknown]> => {
          const { header, content } = wire.decode(await reader.receive());
          return [header.msg_type, content["count"]];
        };
        assert.deepEqual(await read(), ["iopub_welcome", undefined], `subscriber ${subscriber}`);
        const [, first] = await read();
        for (let next = 1; next <= 30; next++)
          assert.deepEqual(await read(), ["status", Number(first) + next], `subscriber ${subscriber}`);
        reader.close();
      }
    } finally {
      isOpen = false;
      await publishing;
      await sockets.close();
    }
  });

  it("ends with the subscription: a topic that is given up sends nothing more, another goes on", async () => {
    const info = connection();
    const sockets = new Sockets(info, "session");
    await sockets.bind();
    sockets.listen(() => undefined);
    const reader = new Subscriber();
    const types = async (count: number): Promise<string[]> => {
      const found: string[] = [];
      for (let i = 0; i < count; i++)
        found.push(new Wire("secret").decode(await reader.receive()).header.msg_type);
      return found;
    };
    try {
      reader.connect(endpoint(info, "iopub"));
      reader.subscribe("kernel.session.stream", "kernel.session.status");
      assert.deepEqual(await types(2), ["iopub_welcome", "iopub_welcome"]);
      sockets.publish("stream", { name: "stdout", text: "1" }, {});
      sockets.publish("status", { execution_state: "idle" }, {});
      assert.deepEqual(await types(2), ["stream", "status"]);
      reader.unsubscribe("kernel.session.stream");
      // The request that follows on the same connection is answered after the one before it was carried out.
      reader.subscribe("kernel.session.error");
      assert.deepEqual(await types(1), ["iopub_welcome"]);
      sockets.publish("stream", { name: "stdout", text: "2" }, {});
      sockets.publish("status", { execution_state: "busy" }, {});
      assert.deepEqual(await types(1), ["status"]);
    } finally {
      reader.close();
      await sockets.close();
    }
  });
});
