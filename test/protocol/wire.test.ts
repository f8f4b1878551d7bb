import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { EncodedJson } from "turnwise-kernel/dist/protocol/encoded.js";
import type { JsonObject } from "turnwise-kernel";
import { buildMessage } from "turnwise-kernel/dist/protocol/message.js";
import { Wire, WireError } from "turnwise-kernel/dist/protocol/wire.js";

const key = "b71d2a0e";

function encoded(content: JsonObject = { code: "1" }): Buffer[] {
  return new Wire(key).encode(buildMessage("execute_request", content, { session: "s" }));
}

describe("the wire protocol", () => {
  it("signs header, parent, metadata and content with HMAC-SHA256, and leaves buffers out", () => {
    const message = buildMessage("comm_msg", { a: 1 }, { session: "s", buffers: [Buffer.from([1, 2])] });
    const frames = new Wire(key).encode(message);
    assert.equal(frames[0]!.toString(), "<IDS|MSG>");
    const expected = createHmac("sha256", key)
      .update(JSON.stringify(message.header) + "{}" + "{}" + '{"a":1}')
      .digest("hex");
    assert.equal(frames[1]!.toString(), expected);
    assert.deepEqual(frames.at(-1), Buffer.from([1, 2]));
    assert.deepEqual(new Wire(key).decode(frames).buffers, [Buffer.from([1, 2])]);
  });

  it("sends content that is JSON already as it is, and can still read it", () => {
    const content = { data: { "text/plain": 'ü "x"' } };
    const message = buildMessage("display_data", content, { session: "s" });
    const ready = { ...message, content: new EncodedJson(Buffer.from(JSON.stringify(content))) };
    assert.deepEqual(new Wire(key).encode(ready), new Wire(key).encode(message));
    assert.deepEqual(JSON.parse(JSON.stringify(ready.content)), content);
  });

  it("gives back what was sent, for any content, identities and buffers", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.uint8Array({ minLength: 1 })),
        fc.array(fc.uint8Array()),
        (content, identities, buffers) => {
          // "__proto__" as a key sets a prototype instead of a property in plain JavaScript objects.
          const plain = JSON.parse(JSON.stringify(content)) as JsonObject;
          const message = buildMessage("x", plain, {
            session: "s",
            identities: identities.map((one) => Buffer.from(one)),
            buffers: buffers.map((one) => Buffer.from(one)),
          });
          const back = new Wire(key).decode(new Wire(key).encode(message));
          assert.deepEqual(back, JSON.parse(JSON.stringify(message), revive));
        },
      ),
    );
  });

  it("refuses another key, a changed part and a wrong digest length, before anything is parsed", () => {
    assert.throws(() => new Wire("other").decode(encoded()), new WireError("wrong signature"));
    const changed = encoded();
    changed[5] = Buffer.from("not JSON at all");
    assert.throws(() => new Wire(key).decode(changed), new WireError("wrong signature"));
    const short = encoded();
    short[1] = Buffer.from("ab");
    assert.throws(() => new Wire(key).decode(short), new WireError("wrong signature"));
  });

  it("drops replays only if asked to", () => {
    const frames = encoded();
    const strict = new Wire(key, "hmac-sha256", { dropReplays: true });
    strict.decode(frames);
    assert.throws(() => strict.decode(frames), new WireError("replayed message"));
    const open = new Wire(key);
    open.decode(frames);
    open.decode(frames);
  });

  it("accepts unsigned messages if the key is empty", () => {
    const unsigned = new Wire("");
    const frames = unsigned.encode(buildMessage("x", {}, { session: "s" }));
    assert.equal(frames[1]!.length, 0);
    assert.equal(unsigned.decode(frames).header.msg_type, "x");
  });

  it("knows other digests, and says immediately which scheme it cannot sign with", () => {
    const frames = new Wire(key, "hmac-sha512").encode(buildMessage("x", {}, { session: "s" }));
    assert.equal(frames[1]!.length, 128);
    assert.throws(
      () => new Wire(key, "rot13"),
      new RangeError('Cannot sign messages: the signature scheme must be hmac-<digest>, got "rot13".'),
    );
  });

  it("says what is wrong with broken frames", () => {
    const decode = (frames: Buffer[]) => () => new Wire("").decode(frames);
    const part = Buffer.from("{}");
    const delimiter = Buffer.from("<IDS|MSG>");
    assert.throws(decode([part, part]), new WireError("no <IDS|MSG> delimiter"));
    assert.throws(decode([delimiter, part]), new WireError("1 parts after the delimiter, need 5"));
    const header = Buffer.from('{"msg_id":"1","msg_type":"x"}');
    const empty = Buffer.alloc(0);
    assert.throws(
      decode([delimiter, empty, Buffer.from("{"), part, part, part]),
      new WireError("a part is not JSON"),
    );
    assert.throws(
      decode([delimiter, empty, header, Buffer.from("[]"), part, part]),
      new WireError("a part is not a JSON object"),
    );
    assert.throws(
      decode([delimiter, empty, part, part, part, part]),
      new WireError("the header needs a msg_id and a msg_type"),
    );
  });
});

/** Buffers as JSON.stringify writes them, read back. */
function revive(_key: string, value: unknown): unknown {
  const candidate = value as { type?: unknown; data?: unknown } | null;
  return candidate?.type === "Buffer" && Array.isArray(candidate.data)
    ? Buffer.from(candidate.data as number[])
    : value;
}
