import type { Magic } from "./contract.js";

const secret = /key|token|secret|password|passwd|credential/i;

/** `%env`: the environment's variables. */
export const env: Magic = {
  name: "env",
  forms: ["line"],
  usage: ["%env [NAME [= value]]"],
  about: "Shows all environment variables or one of them, or sets one for later cells and commands.",
  more: "The list hides the values of names such as `API_KEY`. `%env NAME=` sets an empty value; `delete process.env.NAME` removes the variable.",
  example: "%env NODE_ENV=production",
  run({ rest }, host) {
    const text = rest.trim();
    if (text === "") {
      const names = Object.keys(process.env).sort();
      const lines = names.map((name) => `${name}=${secret.test(name) ? "<hidden>" : process.env[name]}\n`);
      return host.print(lines.join(""));
    }
    const [, name = "", sign, value = ""] = /^([^\s=]+)(?:(\s*=\s*|\s+)([^]*))?$/.exec(text) ?? [];
    if (name === "") {
      throw new RangeError(
        `Cannot set the variable: its name must come first, such as "%env NAME=value", got "${text}".`,
      );
    }
    if (sign !== undefined) {
      process.env[name] = value;
      return host.print(`${name}=${secret.test(name) ? "<hidden>" : value}\n`);
    }
    const found = process.env[name];
    if (found === undefined) {
      throw new RangeError(`Cannot show ${name}: the environment must have it, but it is not set.`);
    }
    host.print(`${found}\n`);
  },
};
