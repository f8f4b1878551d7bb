import { command } from "../command.js";

export const doctor = command({
  about: `Reports what is installed, what works, and how to fix the rest. With the folder or a file of a training run,
\`turnwise doctor run/\` examines that run instead: \`turnwise diagnose --help\` lists its options.`,
  options: {},
  run: async (_given, { root }) => {
    const { examine } = await import("../examine.js");
    const findings = await examine(root);
    for (const { state, text, advice } of findings) {
      process.stdout.write(`${state.padEnd(5)} ${text}\n${advice ? `      To fix it: ${advice}\n` : ""}`);
    }
    return findings.some(({ state }) => state === "bad") ? 1 : 0;
  },
});
