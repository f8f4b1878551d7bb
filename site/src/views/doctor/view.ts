import { h, render, type ComponentChild } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { View } from "../shared/contract";
import { DoctorWorker, type Outcome } from "./doctorWorker";
import { chosen, dropped, together } from "./gather";
import type { GivenFile, MadePage, Progress } from "./messages";
import { bytesInWords, commandOf, progressInWords, verdicts } from "./words";

/** Texts of sample runs by name, each with its files by path. */
type Samples = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Parts {
  readonly worker: DoctorWorker;
  readonly samples: Promise<Samples>;
}

const textOf = async <T>(name: string): Promise<T> =>
  ((await import(new URL(name, document.baseURI).href)) as { readonly default: T }).default;

/** What is loaded after the first picture: the doctor itself, and the samples. */
function loadParts(): Parts {
  const samples = textOf<Samples>("samples.js");
  samples.catch(() => undefined);
  return { worker: new DoctorWorker(() => textOf<string>("worker.js")), samples };
}

/** What the reader has given, and how to read it. */
interface Case {
  readonly files: readonly GivenFile[];
  readonly compare: boolean;
  readonly optimum: number | undefined;
}

type Phase =
  | { readonly kind: "empty" }
  | { readonly kind: "running"; readonly progress?: Progress }
  | Exclude<Outcome, undefined>;

const none: Case = { files: [], compare: false, optimum: undefined };

const topsOf = (files: readonly GivenFile[]): string[] => [
  ...new Set(files.map(({ path }) => path.split("/")[0]!)),
];

const canCompare = (files: readonly GivenFile[]): boolean =>
  topsOf(files).length === 2 && files.every(({ path }) => !path.includes("/"));

function Doctor({ parts }: { parts: Parts }): ComponentChild {
  const [given, setGiven] = useState(none);
  const [phase, setPhase] = useState<Phase>({ kind: "empty" });
  const [isReady, setReady] = useReducer(() => true, false);
  const [notice, setNotice] = useState("");
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A failure is told where something is to be examined.
    void Promise.all([parts.worker.ready(), parts.samples]).then(setReady as () => void, () => undefined);
    return () => parts.worker.stop();
  }, [parts]);
  useEffect(() => {
    if (phase.kind !== "empty" && phase.kind !== "running") head.current?.focus();
  }, [phase.kind]);
  const examine = (next: Case): void => {
    setNotice("");
    setGiven(next);
    if (next.files.length === 0) {
      parts.worker.stop();
      return setPhase({ kind: "empty" });
    }
    setPhase({ kind: "running" });
    const { files, compare, optimum } = next;
    void parts.worker
      .examine(
        { files, compare: compare && canCompare(files), ...(optimum !== undefined && { optimum }) },
        (progress) => setPhase({ kind: "running", progress }),
      )
      .then((outcome) => outcome && setPhase(outcome));
  };
  const add = (files: readonly GivenFile[]): void => {
    if (files.length === 0) return setNotice("There is no file in it.");
    examine({ ...given, files: together(given.files, files) });
  };
  const takeDropped = (data: DataTransfer | null): void => {
    if (!data) return;
    dropped(data).then(add, (error: unknown) => setNotice((error as Error).message));
  };
  const sample = async (name: string): Promise<void> => {
    try {
      const texts = Object.entries((await parts.samples)[name]!);
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
    !isEmpty && h(Given, { given, examine, startOver, isRunning: phase.kind === "running" }),
    phase.kind === "running" && h(Running, { progress: phase.progress, stop: startOver }),
    phase.kind === "page" && h(Result, { page: phase, given, head }),
    (phase.kind === "refused" || phase.kind === "failed") && h(Refusal, { phase, given, head }),
    !isEmpty && phase.kind !== "running" && h("h2", null, "More of this run"),
    phase.kind !== "running" && h(Giving, { isEmpty, add, takeDropped, sample: (name: string) => void sample(name) }),
    isEmpty && h(About, { isReady }),
  ]);
}

interface GivingProps {
  readonly isEmpty: boolean;
  readonly add: (files: readonly GivenFile[]) => void;
  readonly takeDropped: (data: DataTransfer | null) => void;
  readonly sample: (name: string) => void;
}

/** The place to drop files, and all other ways to give some. */
function Giving({ isEmpty, add, takeDropped, sample }: GivingProps): ComponentChild {
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Files dropped beside the box are meant for it, too: else the browser would leave the page to show them.
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    };
    const out = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      takeDropped(event.dataTransfer);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", out);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", out);
      removeEventListener("drop", drop);
    };
  });
  useEffect(() => {
    if (isPasting) text.current?.focus();
  }, [isPasting]);
  const picked = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const list = chosen(Array.from(input.files ?? []));
    // The same file may be chosen again, after it has changed.
    input.value = "";
    add(list);
  };
  const paste = (): void => {
    const pasted = text.current?.value ?? "";
    if (pasted.trim() === "") return text.current?.focus();
    setPasting(false);
    add([{ path: "pasted.log", file: new Blob([pasted]), isPasted: true }]);
  };
  const button = (label: string, onClick: () => void, isMain = false): ComponentChild =>
    h("button", { type: "button", class: isMain ? "go" : "", onClick }, label);
  return h(
    "section",
    { class: `giving${isOver ? " over" : ""}${isEmpty ? "" : " small"}`, "aria-label": "Your files" },
    [
      h(
        "p",
        { class: isEmpty ? "big" : "soft" },
        isEmpty
          ? "Drop a folder or files anywhere on this page"
          : "A launch script or rollouts beside the log tell more; a second folder is a second run, to compare. Drop them here, too.",
      ),
      h("div", { class: "bar" }, [
        button(isEmpty ? "Choose files" : "Add files", () => files.current?.click(), isEmpty),
        button(isEmpty ? "Choose a folder" : "Add a folder", () => folder.current?.click()),
        button("Paste console output", () => setPasting(!isPasting)),
      ]),
      h("input", {
        ref: files,
        type: "file",
        multiple: true,
        hidden: true,
        onChange: picked,
        "aria-label": "Files of the run",
      }),
      h("input", {
        ref: folder,
        type: "file",
        webkitdirectory: true,
        hidden: true,
        onChange: picked,
        "aria-label": "Folder of the run",
      }),
      isPasting &&
        h("div", { class: "paste" }, [
          h("label", null, [
            "What the trainer printed, or its launch script",
            h("textarea", { ref: text, rows: 8, spellcheck: false }),
          ]),
          h("div", { class: "bar" }, [
            button("Examine it", paste, true),
            button("Cancel", () => setPasting(false)),
          ]),
        ]),
      isEmpty &&
        h("div", { class: "bar samples" }, [
          h("span", { class: "soft" }, "Or see it at work:"),
          button("a run of ours that fell", () => sample("fell")),
          button("a made-up run with its launch script", () => sample("entropy")),
        ]),
    ],
  );
}

interface GivenProps {
  readonly given: Case;
  readonly examine: (next: Case) => void;
  readonly startOver: () => void;
  readonly isRunning: boolean;
}

/** The files that are examined, and how. */
function Given({ given, examine, startOver, isRunning }: GivenProps): ComponentChild {
  const { files, compare, optimum } = given;
  const tops = topsOf(files);
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  const setOptimum = (event: Event): void => {
    const { value, valueAsNumber } = event.currentTarget as HTMLInputElement;
    examine({ ...given, optimum: value === "" || !(valueAsNumber > 0) ? undefined : valueAsNumber });
  };
  return h("section", { class: "given", "aria-label": "What is examined" }, [
    h("p", null, [
      h(
        "strong",
        null,
        tops.slice(0, 4).join(", ") + (tops.length > 4 ? ` and ${tops.length - 4} more` : ""),
      ),
      ` · ${files.length} ${files.length === 1 ? "file" : "files"}, ${bytesInWords(size)} `,
      h("button", { type: "button", class: "plain", onClick: startOver }, "Start over"),
    ]),
    !isRunning &&
      h("details", { class: "options" }, [
        h("summary", null, "Options"),
        h("label", { class: "knob" }, [
          h("span", null, "best possible mean reward"),
          h("input", {
            type: "number",
            min: 0,
            step: "any",
            placeholder: "1, if all rewards are from 0 to 1",
            value: optimum ?? "",
            onChange: setOptimum,
          }),
        ]),
        canCompare(files) &&
          h("label", { class: "knob" }, [
            h("span", null, "two runs to compare"),
            h("input", {
              type: "checkbox",
              role: "switch",
              checked: compare,
              onChange: (event: Event) =>
                examine({ ...given, compare: (event.currentTarget as HTMLInputElement).checked }),
            }),
          ]),
      ]),
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

interface Headed {
  readonly head: { current: HTMLHeadingElement | null };
}

function Result({ page, given, head }: { page: MadePage; given: Case } & Headed): ComponentChild {
  const [isCopied, setCopied] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setCopied(false);
    // On a narrow screen the picture scrolls, which must be possible by keyboard, too.
    card.current?.querySelectorAll("figure").forEach((figure) => (figure.tabIndex = 0));
  }, [page]);
  const save = (): void => {
    const address = URL.createObjectURL(new Blob([page.document], { type: "text/html" }));
    Object.assign(document.createElement("a"), { href: address, download: "doctor.html" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  const copy = (): void =>
    void navigator.clipboard.writeText(page.text).then(
      () => setCopied(true),
      () => undefined,
    );
  return h("article", { class: "result" }, [
    h("h2", { ref: head, tabIndex: -1, class: `verdict code${page.code}` }, [
      verdicts[page.code] ?? "",
      h("span", { class: "code" }, ` exit code ${page.code}`),
    ]),
    h("div", { class: "bar" }, [
      h("button", { type: "button", onClick: save }, "Save this page"),
      h("button", { type: "button", onClick: copy }, isCopied ? "Copied" : "Copy as text"),
    ]),
    // The library escapes whatever comes from a file, and the policy of the page runs no script of a text.
    h("div", { ref: card, class: "card", dangerouslySetInnerHTML: { __html: page.part } }),
    page.sections.length > 0 &&
      h("p", null, [
        "In the debugging guide: ",
        ...page.sections.flatMap((section, i) => [
          i > 0 ? ", " : "",
          h("a", { href: `../read/docs/debugging.html#${section}` }, section.replaceAll("-", " ")),
        ]),
      ]),
    h(Command, { given }),
  ]);
}

function Refusal({
  phase,
  given,
  head,
}: {
  phase: { readonly kind: "refused" | "failed"; readonly message: string };
  given: Case;
} & Headed): ComponentChild {
  return h("article", { class: "result" }, [
    h(
      "h2",
      { ref: head, tabIndex: -1, class: "verdict code1" },
      phase.kind === "refused"
        ? ["Nothing could be read", h("span", { class: "code" }, " exit code 1")]
        : "This page failed",
    ),
    h("p", { class: "refusal" }, phase.message),
    h(
      "p",
      null,
      phase.kind === "refused"
        ? "Give the log itself: what the trainer printed, its JSONL, CSV or event file, or the .wandb file of an offline run. Unpack archives first."
        : "That is a fault of this page and says nothing of your run. The command reads the same files:",
    ),
    h(Command, { given }),
  ]);
}

function Command({ given }: { given: Case }): ComponentChild {
  const { files, compare, optimum } = given;
  const isOnDisk = files.every(({ isPasted }) => isPasted !== true);
  const targets = isOnDisk ? topsOf(files) : ["run/"];
  return h("p", { class: "soft" }, [
    "The same in a terminal: ",
    h("code", null, commandOf(targets, isOnDisk && compare && canCompare(files), optimum)),
    ". There it also follows a run that goes on (--follow), and trains its rule in small worlds (--twin), which takes too long for a page.",
  ]);
}

function About({ isReady }: { isReady: boolean }): ComponentChild {
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

const view: View<Record<string, never>> = {
  render({ el }) {
    render(h(Doctor, { parts: loadParts() }), el);
    return () => render(null, el);
  },
};

export default view;
