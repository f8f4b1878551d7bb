import { libraryWorlds } from "../env/worlds";
import { isCustom } from "../rule/custom";
import { toLine } from "./json";

/**
 * Why a setting can only be trained in this thread; undefined if other threads can train it, too.
 *
 * Workers load the library and get the options as plain data: what lives in this thread's memory alone is not there.
 */
export function staysHere(options: Readonly<Record<string, unknown>>): string | undefined {
  const { env, policy } = options;
  if (typeof env === "object" && env !== null) {
    return "env is a ready environment (workers need an id and envOptions)";
  }
  if (typeof policy === "object" && policy !== null && "sample" in policy) {
    return "policy is a ready policy (workers need the options of one)";
  }
  const own = ownFunction(options);
  if (own !== undefined) return `${own} lives in this thread alone`;
  try {
    toLine(options, "the options");
  } catch (error) {
    return (error as Error).message;
  }
  return libraryWorlds.some(({ id }) => id === env)
    ? undefined
    : `"${String(env)}" is registered in this thread alone`;
}

function ownFunction(value: unknown, name = "an option"): string | undefined {
  if (isCustom(value)) return `custom("${value.label}")`;
  if (typeof value === "function") return `the function ${name}`;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = ownFunction(item, key);
    if (found !== undefined) return found;
  }
  return undefined;
}
