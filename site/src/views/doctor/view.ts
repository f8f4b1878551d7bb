import { h, render, type ComponentChild } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { View } from "../shared/contract";
import { nextSteps, type Site } from "../shared/ending";
import { About } from "./about";
import { none, canCompare, type Case } from "./case";
import type { Outcome } from "./doctorWorker";
import { dropped, mergeObjects } from "./gather";
import { Given } from "./given";
import { Giving } from "./giving";
import type { GivenFile, Progress } from "./messages";
import { next } from "./next";
import { Refusal, Result } from "./outcome";
import { loadParts, type Parts } from "./parts";
import { progressInWords } from "./words";

type Phase =
  { readonly kind: "empty" } | { readonly kind: "running"; readonly progress?: Progress } | Outcome;

function Doctor({ parts, site }: { parts: Parts; site: Site }): ComponentChild {
  const [given, setGiven] = useState(none);
  const [phase, setPhase] = useState<Phase>({ kind: "empty" });
  const [isReady, setReady] = useReducer(() => true, false);
  const [notice, setNotice] = useState("");
  const head = useRef<HTMLHeadingElement>(null);
  /** Whether the outcome is that of new files: whoever changes an option stays there. */
  const isNew = useRef(false);
  useEffect(() => {
    // A failure is told where something is to be examined.
    void Promise.all([parts.worker.ready(), parts.samples]).then(setReady as () => void, () => undefined);
    return () => parts.worker.stop();
  }, [parts]);
  useEffect(() => {
    if (!isNew.current || phase.kind === "empty" || phase.kind === "running") return;
    isNew.current = false;
    head.current?.focus();
  }, [phase.kind]);
  const examine = (next: Case): void => {
    setNotice("");
    setGiven(next);
    if (next.files.length === 0) {
      parts.worker.stop();
      return setPhase({ kind: "empty" });
    }
    setPhase({ kind: "running" });
    const { files, compare, optimum, map } = next;
    void parts.worker
      .examine(
        { files, compare: compare && canCompare(files), map, ...(optimum !== undefined && { optimum }) },
        (progress) => setPhase({ kind: "running", progress }),
      )
      .then((outcome) => outcome && setPhase(outcome));
  };
  const add = (files: readonly GivenFile[]): void => {
    if (files.length === 0) return setNotice("There is no file in it.");
    isNew.current = true;
    examine({ ...given, files: mergeObjects(given.files, files) });
  };
  const takeDropped = (data: DataTransfer | null): void => {
    if (!data) return;
    dropped(data).then(add, (error: unknown) => setNotice((error as Error).message));
  };
  const sample = async (name: string): Promise<void> => {
    try {
      const texts = Object.entries((await parts.samples)[name]!);
      isNew.current = true;
      examine({ ...none, files: texts.map(([path, text]) => ({ path, file: new Blob([text]) })) });
    } catch (error) {
      setNotice(`The sample could not be loaded (${(error as Error).message}).`);
    }
  };
  const startOver = (): void => examine(none);
  const isEmpty = phase.kind === "empty";
  return h("div", { class: "doctor" }, [
    h("h1", null, "What broke in this training run?"),
    isEmpty &&
      h(
        "p",
        { class: "soft" },
        "Give it a run’s folder, or its log, launch script and rollouts. It tells what happened, when, the likeliest cause, the setting to " +
          "change, and what it cannot tell. Your files are read in this page and sent nowhere.",
      ),
    notice !== "" && h("p", { role: "alert", class: "refusal" }, notice),
    !isEmpty && h(Given, { given, examine, startOver }),
    phase.kind === "running" && h(Running, { progress: phase.progress, stop: startOver }),
    phase.kind === "page" && h(Result, { page: phase, given, head }),
    (phase.kind === "refused" || phase.kind === "failed") && h(Refusal, { phase, given, head }),
    !isEmpty &&
      phase.kind !== "running" &&
      h("h2", null, phase.kind === "page" ? "More of this run" : "Other files"),
    phase.kind !== "running" &&
      h(Giving, { isEmpty, add, takeDropped, sample: (name: string) => void sample(name) }),
    isEmpty && h(About, { isReady }),
    h("div", { class: "ending" }, [nextSteps(site, next)]),
  ]);
}

function Running({ progress, stop }: { progress: Progress | undefined; stop: () => void }): ComponentChild {
  return h("section", { class: "running" }, [
    h("p", { role: "status" }, progress ? progressInWords(progress) : "Reading …"),
    h("progress", {
      "aria-label": "Reading",
      ...(progress && progress.size > 0 && { max: progress.size, value: progress.read }),
    }),
    h("button", { type: "button", onClick: stop }, "Stop"),
  ]);
}

/** The page about a run's files, and the site around it. */
export const viewFor = (site: Site): View<Record<string, never>> => ({
  render({ el }) {
    render(h(Doctor, { parts: loadParts(), site }), el);
    return () => render(null, el);
  },
});
