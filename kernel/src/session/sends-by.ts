const { getPrototypeOf } = Reflect;

export const typedArrays = getPrototypeOf(Uint8Array.prototype) as Uint8Array;
export const arrayIterators = getPrototypeOf([][Symbol.iterator]()) as ArrayIterator<unknown>;

type Named = readonly [name: string, read: () => unknown];

/** The names by which a report is made and sent. */
export function sendsBy(): readonly Named[] {
  return [
    ["JSON", () => JSON],
    ["Buffer", () => globalThis.Buffer],
    ["Object", () => Object],
    ["Array", () => Array],
    ["Map", () => Map],
    ["Set", () => Set],
    ["Promise", () => Promise],
    ["Symbol", () => Symbol],
    ["Error", () => Error],
    ["Atomics", () => Atomics],
    ["Uint8Array", () => Uint8Array],
    ["JSON.stringify", () => JSON.stringify],
    ["JSON.parse", () => JSON.parse],
    ["Buffer.from", () => globalThis.Buffer.from],
    ["Buffer.allocUnsafe", () => globalThis.Buffer.allocUnsafe],
    ["Buffer.concat", () => globalThis.Buffer.concat],
    ["Buffer.prototype.writeUInt32LE", () => globalThis.Buffer.prototype.writeUInt32LE],
    ["Buffer.prototype.readUInt32LE", () => globalThis.Buffer.prototype.readUInt32LE],
    ["Buffer.prototype.copy", () => globalThis.Buffer.prototype.copy],
    ["Buffer.prototype.subarray", () => globalThis.Buffer.prototype.subarray],
    ["the prototype of typed arrays.set", () => typedArrays.set],
    ["the prototype of typed arrays.subarray", () => typedArrays.subarray],
    ["Array.prototype.push", () => Array.prototype.push],
    ["Array.prototype.map", () => Array.prototype.map],
    ["Array.prototype.reduce", () => Array.prototype.reduce],
    ["Array.prototype.find", () => Array.prototype.find],
    ["Array.prototype.@@iterator", () => Array.prototype[Symbol.iterator]],
    ["the prototype of array iterators.next", () => arrayIterators.next],
    ["Map.prototype.get", () => Map.prototype.get],
    ["Map.prototype.set", () => Map.prototype.set],
    ["Map.prototype.delete", () => Map.prototype.delete],
    ["Map.prototype.@@iterator", () => Map.prototype[Symbol.iterator]],
    ["Set.prototype.add", () => Set.prototype.add],
    ["Set.prototype.has", () => Set.prototype.has],
    ["Set.prototype.delete", () => Set.prototype.delete],
    ["Set.prototype.@@iterator", () => Set.prototype[Symbol.iterator]],
    ["Promise.prototype.then", () => Promise.prototype.then],
    ["Function.prototype.call", () => Function.prototype.call],
    ["Function.prototype.apply", () => Function.prototype.apply],
    ["Atomics.store", () => Atomics.store],
    ["Atomics.load", () => Atomics.load],
    ["Atomics.wait", () => Atomics.wait],
    ["String.prototype.endsWith", () => String.prototype.endsWith],
    ["String.prototype.startsWith", () => String.prototype.startsWith],
  ];
}
