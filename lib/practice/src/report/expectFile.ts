import { files } from "turnwise/internal/base/host/index";

/** Names of files that may be logs. */
const mayBeLog = /tfevents|trainer_state\.json$|\.(jsonl|csv|log|out|txt)$/;

/**
 * Refuses a path that is not there, and a folder.
 *
 * @throws {RangeError} which names the files in the folder that may be logs
 */
export function expectFile(path: string, verb: "read" | "watch"): void {
  const found = files.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new RangeError(`Cannot ${verb} the log: no such file: ${path}`);
  }
  if (!found.isDirectory()) return;
  const inside = files.readdirSync(path).filter((name) => mayBeLog.test(name));
  const some = inside.slice(0, 3).map((name) => `"${name}"`);
  throw new RangeError(
    `Cannot ${verb} the log: "${path}" is a folder.` +
      (some.length === 0
        ? ""
        : `\nDid you mean ${some.join(", ")}${inside.length > 3 ? ", ..." : ""} in it?`),
  );
}
