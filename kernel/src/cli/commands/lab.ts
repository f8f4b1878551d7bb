import { forwarding } from "../command.js";

export const lab = forwarding({
  help: {
    usage: "[flags of jupyter lab]",
    about: `Opens JupyterLab >= 4 on notebooks/ (or, without that, on this folder) with the TypeScript kernel registered for it
alone. Uses the JupyterLab of the active Python environment or of PATH; where there is none, it makes .venv and installs
one there. It runs until Lab is shut down or until Ctrl-C, and leaves no process behind.

  --no-browser  do not open a browser
  --port <N>    use this port (default: the first free one from 8888)

All flags are passed on: jupyter lab --help lists them.`,
  },
  run: async (args, { root }) => (await import("../lab.js")).lab(args, root),
});
