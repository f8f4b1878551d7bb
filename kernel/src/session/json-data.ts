import type { CommBuffer } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";

/**
 * Data as it goes to the front end; what has a `toJSON` is replaced by its result, and all else stays as it is.
 *
 * @throws {TypeError} if a part of it is not JSON
 */
export function jsonData(value: unknown, action: string, name: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`Cannot ${action}: ${name} must be an object, got ${described(value)}.`);
  return converted(value, action, name, []) as JsonObject;
}

function converted(value: unknown, action: string, path: string, above: readonly object[]): unknown {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    throw new TypeError(`Cannot ${action}: ${path} must be JSON, got ${described(value)}.`);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value))
    throw new TypeError(`Cannot ${action}: ${path} must be JSON, but it contains itself.`);
  if (isBuffer(value))
    throw new TypeError(
      `Cannot ${action}: ${path} must be JSON, got binary data, which belongs in { buffers }.`,
    );
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function")
    return converted((toJSON as () => unknown).call(value), action, path, [...above, value]);
  if (value instanceof Map || value instanceof Set)
    throw new TypeError(`Cannot ${action}: ${path} must be JSON, got ${described(value)}.`);
  const inside = [...above, value];
  if (Array.isArray(value)) {
    const list = value.map((one: unknown, i) =>
      isSimple(one) ? one : converted(one, action, `${path}[${i}]`, inside),
    );
    return list.some((one, i) => one !== (value as unknown[])[i]) ? list : value;
  }
  const entries = Object.entries(value);
  const parts = entries.map(
    ([key, one]) => [key, isSimple(one) ? one : converted(one, action, `${path}.${key}`, inside)] as const,
  );
  return parts.some(([, one], i) => one !== entries[i]![1]) ? Object.fromEntries(parts) : value;
}

const isSimple = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "string" || typeof value === "boolean" || value === null;

/**
 * Binary parts of a message as bytes; nothing is copied.
 *
 * @throws {TypeError} if one of them is not binary
 */
export function byteParts(buffers: unknown, action: string): Uint8Array[] {
  if (!Array.isArray(buffers))
    throw new TypeError(
      `Cannot ${action}: buffers must be a list of binary data, got ${described(buffers)}.`,
    );
  return buffers.map((one: unknown, i) => {
    if (isBuffer(one))
      return ArrayBuffer.isView(one)
        ? new Uint8Array(one.buffer, one.byteOffset, one.byteLength)
        : new Uint8Array(one);
    throw new TypeError(
      `Cannot ${action}: buffers[${i}] must be an ArrayBuffer or a view of one, got ${described(one)}.`,
    );
  });
}

const isBuffer = (value: unknown): value is CommBuffer =>
  ArrayBuffer.isView(value) ||
  value instanceof ArrayBuffer ||
  (typeof SharedArrayBuffer === "function" && value instanceof SharedArrayBuffer);

/** A value as an error names it. */
export function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Map) return "a Map";
  if (value instanceof Set) return "a Set";
  return typeof value === "object" ? "an object" : String(value);
}
