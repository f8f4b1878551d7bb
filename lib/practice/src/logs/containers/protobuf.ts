/** A field of a protobuf message: a number for varints, bytes for all else. */
export interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/**
 * The fields of a protobuf message, in the order of the wire.
 *
 * @throws {RangeError} if the message ends within a field or has a wire type that is none
 * @see https://protobuf.dev/programming-guides/encoding/
 */
export function* fields(message: Uint8Array): Generator<Field, void, undefined> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (at >= message.length) throw broken("ends within a number");
      const byte = message[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    const wire = key % 8;
    if (wire === 0) {
      yield { number, value: varint() };
      continue;
    }
    const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? varint() : undefined;
    if (length === undefined) throw broken(`has a field of wire type ${wire}`);
    if (at + length > message.length) throw broken("ends within a field");
    yield { number, value: message.subarray(at, at + length) };
    at += length;
  }
}

const broken = (how: string): RangeError =>
  new RangeError(`Cannot read an event file: its messages must be protobuf, but one ${how}.`);
