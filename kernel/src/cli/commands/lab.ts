import { forwarding } from "../command.js";

export const lab = forwarding({
  help: {
    usage: "[flags of jupyter lab]",
    about: `Opens JupyterLab >= 4 on notebooks/ (or, if that is missing, on this folder), with the TypeScript kernel registered for
it alone. Uses the JupyterLab of the active Python environment or on PATH; if there is none, creates .venv and installs
one there. Runs until you shut down Lab or press Ctrl-C, and leaves no process behind.

  --no-browser  do not open a browser
  --port <N>    use this port (default: the first free one from 8888)

Passes all flags on: jupyter lab --help lists them.`,
  },
  run: async (args, { root }) => (await import("../lab.js")).lab(args, root),
});
