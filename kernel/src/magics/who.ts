import { inspect } from "node:util";
import type { Magic, Variable } from "./contract.js";

/** `%who`: the variables of the notebook. */
export const who: Magic = {
  name: "who",
  forms: ["line"],
  usage: ["%who [type ...]"],
  about: "Lists the notebook's variables, or only those of some types, with their types and values.",
  example: "%who number Map",
  run({ rest }, host) {
    const wanted = rest.split(/\s+/).filter((word) => word !== "");
    const rows = host
      .variables()
      .map(row)
      .filter(({ type }) => wanted.length === 0 || wanted.includes(type))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (rows.length > 0) return host.display(rows);
    host.print(
      wanted.length === 0 ? "There are no variables yet\n" : `No variable is a ${wanted.join(" or ")}\n`,
    );
  },
};

function row({ name, value }: Variable): { name: string; type: string; value: string } {
  const text = typeof value === "function" ? "" : inspect(value, { depth: 0, maxStringLength: 100 });
  const [line = ""] = text.split("\n", 1);
  return {
    name,
    type: typeName(value),
    value: line.length > 100 || line !== text ? `${line.slice(0, 97)}...` : text,
  };
}

/** `number`, `function`, `class`, or the name of an object's class. */
function typeName(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "function") return /^class\b/.test(String(value)) ? "class" : "function";
  if (typeof value !== "object") return typeof value;
  try {
    return (Object.getPrototypeOf(value) as object | null)?.constructor.name || "object";
  } catch {
    return "object";
  }
}
