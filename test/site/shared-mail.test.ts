import assert from "node:assert/strict";
import { mailBytes, SharedMail } from "turnwise-site/internal/shared/shared-mail";

describe("mail in shared memory", () => {
  const pair = (): [SharedMail, SharedMail] => {
    const memory = new SharedArrayBuffer(mailBytes);
    return [new SharedMail(memory), new SharedMail(memory)];
  };

  it("brings messages in their order, more than the memory holds at once, and at any place in it", () => {
    const [page, worker] = pair();
    // 2 x 80 x (8 + 2 x 20,000) bytes are six times the memory: the ring is passed, and some messages lie across its end.
    for (let serial = 1; serial <= 160; serial += 2) {
      for (const one of [serial, serial + 1]) page.put({ serial: one, text: `${one} ${"ü".repeat(20_000)}` });
      for (const one of [serial, serial + 1]) {
        assert.deepEqual(worker.first(), { serial: one, text: `${one} ${"ü".repeat(20_000)}` });
        worker.drop();
      }
      assert.equal(worker.first(), undefined);
    }
    assert.equal(worker.count, 160);
  });

  it("leaves out what does not fit, and takes the next that does", () => {
    const [page, worker] = pair();
    page.put({ serial: 1, text: "a".repeat(900_000) });
    page.put({ serial: 2, text: "b".repeat(200_000) });
    page.put({ serial: 3, text: "c" });
    assert.equal(worker.first()?.serial, 1);
    worker.drop();
    assert.deepEqual(worker.first(), { serial: 3, text: "c" });
    worker.drop();
    assert.equal(worker.first(), undefined);
  });
});
