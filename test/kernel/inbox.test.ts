import assert from "node:assert/strict";
import { encodePacket } from "turnwise-kernel/dist/process/pipe.js";
import type { NumberedCommand } from "turnwise-kernel/dist/session/messages.js";
import { Inbox } from "turnwise-kernel/dist/session/node/inbox.js";
import { slot, stateBytes } from "turnwise-kernel/dist/session/state.js";

const message = (number: number, size: number): Buffer => {
  const content = { comm_id: String(number), text: "ä".repeat(size) };
  const command: NumberedCommand = { t: "comm", type: "comm_msg", id: "", content, metadata: {}, number };
  return encodePacket<NumberedCommand>(command, [Buffer.alloc(size, number)]);
};
/** Small ones and a large one, which comes in many pieces. */
const packets = [3, 0, 900, 1, 2].map((size, i) => message(i + 1, size));

/** The ends of a pipe whose bytes may be lost on their way. */
class Trial {
  readonly heard: string[] = [];
  asked = 0;
  private readonly state = new Int32Array(stateBytes / 4);
  private readonly inbox = new Inbox(this.state, {
    handle: (command, [bytes], taken) => {
      assert.ok(command.t === "comm" && bytes!.every((one) => one === Number(command.content.comm_id)));
      taken();
      this.heard.push(String(command.content.comm_id));
    },
    missed: () => void this.asked++,
  });

  send(bytes: Buffer): void {
    this.inbox.push(bytes);
  }

  /** Sends all that is not known to have been taken, as after a termination. */
  sendAgain(): void {
    for (const packet of packets.slice(this.state[slot.taken])) this.send(packet);
  }
}

const all = ["1", "2", "3", "4", "5"];

// V8 ends what the main thread does wherever it is, and that may be in the reading of commands.
describe("commands that a termination may cut off", () => {
  it("run once and in their order, however often they come", () => {
    const trial = new Trial();
    for (const packet of packets) {
      trial.send(packet);
      trial.send(packet);
    }
    for (const packet of packets) trial.send(packet);
    assert.deepEqual(trial.heard, all);
  });

  for (const size of [7, 64, 500, 2_000])
    it(`come again after any one piece of ${size} bytes was lost`, () => {
      const stream = Buffer.concat(packets);
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
        stream.subarray(i * size, (i + 1) * size),
      );
      for (const lost of pieces.keys()) {
        const trial = new Trial();
        pieces.forEach((piece, i) => void (i === lost || trial.send(piece)));
        trial.sendAgain();
        assert.deepEqual(trial.heard, all, `without piece ${lost}`);
      }
    });

  it("are asked for where a later one comes first", () => {
    const trial = new Trial();
    trial.send(packets[2]!);
    trial.send(packets[3]!);
    assert.deepEqual([trial.heard, trial.asked], [[], 1]);
    trial.sendAgain();
    assert.deepEqual([trial.heard, trial.asked], [all, 1]);
  });
});
