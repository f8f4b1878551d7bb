import type { JsonObject } from "../protocol/message.js";

const reference = "IPY_MODEL_";

/** A path inside a state: property names and list positions. */
export type BufferPath = (string | number)[];

/** A state on the wire: binary values are taken out, and their paths listed. */
export interface WireState {
  state: JsonObject;
  bufferPaths: BufferPath[];
  buffers: Uint8Array[];
}

/** Replaces widgets by references and binary values by buffers (Jupyter widget messaging protocol 2.1). */
export function serialize(state: JsonObject, idOf: (value: object) => string | undefined): WireState {
  const bufferPaths: BufferPath[] = [];
  const buffers: Uint8Array[] = [];
  const convert = (value: unknown, path: BufferPath): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const id = idOf(value);
    if (id !== undefined) return reference + id;
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      bufferPaths.push(path);
      buffers.push(
        ArrayBuffer.isView(value)
          ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
          : new Uint8Array(value),
      );
      return undefined;
    }
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === "function") return convert((toJSON as () => unknown).call(value), path);
    // In a list, a buffer leaves a gap, so that the other elements keep their positions.
    if (Array.isArray(value)) return value.map((one, i) => convert(one, [...path, i]) ?? null);
    const object: JsonObject = {};
    for (const [key, one] of Object.entries(value)) {
      const converted = convert(one, [...path, key]);
      if (converted !== undefined) object[key] = converted;
    }
    return object;
  };
  return { state: convert(state, []) as JsonObject, bufferPaths, buffers };
}

/** Puts buffers and widgets back into a state that the front end has sent. */
export function deserialize(
  state: JsonObject,
  bufferPaths: readonly BufferPath[],
  buffers: readonly Uint8Array[],
  widgetOf: (id: string) => object | undefined,
): JsonObject {
  const revive = (value: unknown): unknown => {
    if (typeof value === "string" && value.startsWith(reference)) {
      return widgetOf(value.slice(reference.length)) ?? value;
    }
    if (Array.isArray(value)) return value.map(revive);
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)]));
    }
    return value;
  };
  const revived = revive(state) as JsonObject;
  bufferPaths.forEach((path, i) => {
    let holder = revived as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) {
      if (!Object.hasOwn(holder, key)) return;
      holder = holder[key] as Record<string | number, unknown>;
    }
    const last = path.at(-1);
    if (last !== undefined && buffers[i]) holder[last] = buffers[i];
  });
  return revived;
}
