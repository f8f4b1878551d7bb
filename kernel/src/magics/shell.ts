import type { Magic } from "./contract.js";
import { runCommand } from "./command.js";

/** `!command` and `%%sh`: commands of the system's shell. */
export const shell: Magic = {
  name: "sh",
  forms: ["line", "text cell"],
  usage: ["!command", "%%sh"],
  about: "Runs a command of the system's shell, whose output appears as it is written; an interrupt ends it.",
  more:
    "A line that begins with `!` is a command, unless it is TypeScript over names that the notebook knows, such as " +
    "`!done`. A code other than 0 is told and stays in `_exitCode`; the cell goes on. A change of folder or environment ends " +
    "with the command: `%cd` and `%env` last. `{name}`, or any expression over names of the notebook, stands for its value, and " +
    "an array for its elements with spaces between.",
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
