import { command } from "./options";

export const run = command({
  about: `Compiles the network kernels for this machine, if it has a C compiler. They are faster than WebAssembly and compute the
same bits. \`turnwise install\` does this, too.`,
  options: {},
  run: async () => {
    const { prepare } = await import("./prepare.js");
    const told = await prepare();
    process.stdout.write(`${told.charAt(0).toUpperCase()}${told.slice(1)}\n`);
    return 0;
  },
});
