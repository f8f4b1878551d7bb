import { h, type ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { canCompare, topsOf, type Case } from "./case";
import type { Failure, MadePage } from "./messages";
import { commandOf, verdicts } from "./words";

interface Headed {
  readonly head: { current: HTMLHeadingElement | null };
}

/** The page that the command makes, its verdict first. */
export function Result({ page, given, head }: { page: MadePage; given: Case } & Headed): ComponentChild {
  const [copying, setCopying] = useState("Copy as text");
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    setCopying("Copy as text");
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
      () => setCopying("Copied"),
      () => setCopying("The browser forbids copying"),
    );
  return h("article", { class: "result" }, [
    h("h2", { ref: head, tabIndex: -1, class: `verdict code${page.code}` }, [
      verdicts[page.code] ?? "",
      h("span", { class: "code" }, ` exit code ${page.code}`),
    ]),
    h("div", { class: "bar" }, [
      h("button", { type: "button", onClick: save }, "Save this page"),
      h("button", { type: "button", onClick: copy }, copying),
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

/** The reason why there is no page, and what to do. */
export function Refusal({
  phase,
  given,
  head,
}: {
  phase: Failure;
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
        ? "Give the log itself: what the trainer printed, its JSONL, CSV or event file, or the .wandb file of an offline run. Unpack archives first. Where its metrics have names of your own, name them under Options."
        : "That is a fault of this page and says nothing of your run. The command reads the same files:",
    ),
    h(Command, { given }),
  ]);
}

function Command({ given }: { given: Case }): ComponentChild {
  const { files, compare, optimum, map } = given;
  const isOnDisk = files.every(({ isPasted }) => isPasted !== true);
  const targets = isOnDisk ? topsOf(files) : ["run/"];
  return h("p", { class: "soft" }, [
    "The same in a terminal: ",
    h("code", null, commandOf(targets, { compare: isOnDisk && compare && canCompare(files), optimum, map })),
    ". There it also follows a run that goes on (--follow), and trains its rule in small worlds (--twin), which takes too long for a page.",
  ]);
}
