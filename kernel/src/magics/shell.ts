import type { Magic } from "./contract.js";
import { runCommand } from "./command.js";

/** `!command` and `%%sh`: commands of the system's shell. */
export const shell: Magic = {
  name: "sh",
  forms: ["line", "text cell"],
  usage: ["!command", "%%sh"],
  about: "Runs a command in the system's shell and shows its output as it is written; an interrupt ends it.",
  more:
    "A line that begins with `!` is a command, unless it is TypeScript with names that the notebook knows, such as " +
    "`!done`. An exit code other than 0 is printed and kept in `_exitCode`; the cell goes on. A change of folder or environment " +
    "ends with the command; `%cd` and `%env` last. `{name}`, or any expression with the notebook's names, is replaced by its value, " +
    "and an array by its elements, separated by spaces.",
  example: "!ls -l",
  async run({ rest, body }, host) {
    const command = (body ?? rest).trim();
    if (command === "")
      throw new RangeError(
        `Cannot run a command: one must follow ! or stand below %%sh, such as !ls, but it is missing.`,
      );
    const { code, signal } = await runCommand(command, host);
    Object.defineProperty(globalThis, "_exitCode", {
      value: code ?? signal,
      writable: true,
      configurable: true,
      enumerable: false,
    });
    if (code !== 0)
      host.print(`[${signal === null ? `exit code ${code}` : `ended by ${signal}`}]\n`, "stderr");
    else if (/^cd(\s|$)[^;&|\n]*$/.test(command)) {
      host.print(`[the folder was changed for this command only; "%${command}" lasts]\n`, "stderr");
    }
  },
};
