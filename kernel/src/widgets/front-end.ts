import type { Comm, CommMessage } from "../protocol/comm.js";
import type { JsonObject } from "../protocol/message.js";
import { deserialize, type BufferPath } from "./serialize.js";
import { protocol, Widget, widgets } from "./widget.js";

/**
 * Takes a model that the front end has made. Other widgets, and messages of the front end, refer to it by its id.
 *
 * @throws {RangeError} if the front end speaks another version of the protocol
 * @public
 */
export function takeWidget(comm: Comm, { data, metadata, buffers }: CommMessage): void {
  const version = String(metadata.version ?? protocol.version);
  if (version.split(".")[0] !== "2") {
    throw new RangeError(
      `Cannot take the front end's widget: its protocol must be of version 2, got ${JSON.stringify(version)}.`,
    );
  }
  const paths = (Array.isArray(data.buffer_paths) ? data.buffer_paths : []) as BufferPath[];
  const given = deserialize((data.state ?? {}) as JsonObject, paths, buffers, (id) => widgets.get(id));
  const text = (name: string): string => String(given[name] ?? "");
  const names = (kind: string): string[] =>
    ["module", "module_version", "name"].map((part) => text(`_${kind}_${part}`));
  const identity = new Set(identityNames);
  const state = Object.fromEntries(Object.entries(given).filter(([name]) => !identity.has(name)));
  const spec = {
    model: names("model"),
    view: text("_view_name") === "" ? null : names("view"),
    defaults: Object.fromEntries(Object.keys(state).map((name) => [name, null])),
    references: {},
    bytes: [],
  };
  new Widget<JsonObject>(text("_model_name").replace(/Model$/, "") || "Widget", spec, state, comm);
}

const identityNames = ["model", "view"].flatMap((kind) =>
  ["module", "module_version", "name"].map((part) => `_${kind}_${part}`),
);

/**
 * Answers a reloaded front end, which asks for all widgets over this comm.
 *
 * @public
 */
export function serveWidgetStates(comm: Comm): void {
  comm.onMessage = ({ data }) => {
    if (data.method !== "request_states") return;
    const states: JsonObject = {};
    const bufferPaths: BufferPath[] = [];
    const buffers: Uint8Array[] = [];
    for (const [id, widget] of widgets) {
      const { model, state } = widget.wireState();
      states[id] = { ...model, state: state.state };
      state.bufferPaths.forEach((path) => bufferPaths.push([id, "state", ...path]));
      buffers.push(...state.buffers);
    }
    comm.send({ method: "update_states", states, buffer_paths: bufferPaths }, { buffers });
  };
}
