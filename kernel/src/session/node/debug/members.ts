import type { JsonObject } from "../../../protocol/message.js";
import type { Post, RemoteObject } from "./inspector.js";

const longestMs = 100;
const group = "members";
const collect = `function () {
  const names = new Set();
  for (let at = this; at && at !== Object.prototype && names.size < 1000; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names];
}`;

/** The names of what a value has, by its expression; none if to look at it would change anything. */
export async function membersOf(expression: string, post: Post): Promise<string[]> {
  const { result, exceptionDetails } = (await post("Runtime.evaluate", {
    expression: `Object((${expression}))`,
    silent: true,
    throwOnSideEffect: true,
    timeout: longestMs,
    objectGroup: group,
  })) as { result: RemoteObject; exceptionDetails?: JsonObject };
  if (exceptionDetails || result.objectId === undefined || result.subtype === "proxy") return [];
  const found = (await post("Runtime.callFunctionOn", {
    functionDeclaration: collect,
    objectId: result.objectId,
    returnByValue: true,
    silent: true,
  })) as { result: { value?: unknown } };
  void post("Runtime.releaseObjectGroup", { objectGroup: group });
  return Array.isArray(found.result.value) ? found.result.value.map(String) : [];
}
