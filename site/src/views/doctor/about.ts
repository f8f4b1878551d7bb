import { h, type ComponentChild } from "preact";

/** The facts that a reader may want before giving a file away. */
export function About({ isReady }: { isReady: boolean }): ComponentChild {
  return h("section", { class: "about" }, [
    h("p", { role: "status", class: "soft" }, [
      isReady
        ? "All of this page is loaded: it works without a network from now on, and the browser forbids it to send anything."
        : "Loading the doctor …",
    ]),
    h("details", null, [
      h("summary", null, "What it reads"),
      h("ul", null, [
        h(
          "li",
          null,
          "Logs of verl, TRL, RAGEN, prime-rl, SkyRL, OpenRLHF, NeMo RL, open-instruct, AReaL, ROLL, slime and Tinker: console output, JSONL, CSV, TensorBoard event files, trainer_state.json, the .wandb file of an offline run.",
        ),
        h("li", null, "Launch scripts and configurations: shell, YAML, TOML, Python, JSON."),
        h("li", null, "Rollouts: JSONL, JSON and Parquet, of any size; a file is read in pieces."),
        h("li", null, "Not archives (.gz, .zip), weights or pictures: unpack archives first."),
      ]),
    ]),
    h("details", null, [
      h("summary", null, "What it says when it cannot tell"),
      h(
        "p",
        null,
        "Three answers, as the command’s exit codes: 0, it was checked and success did not fall; 3, success fell; 4, it cannot be told, with the reason. What is not in the files is listed as not known, and never taken to be fine.",
      ),
    ]),
  ]);
}
