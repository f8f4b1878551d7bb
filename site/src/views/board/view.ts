import { h, render, type ComponentChild } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Model, View } from "../shared/contract";
import { Ending, type Site } from "../shared/ending";
import { linkOf, type Values } from "../shared/settings";
import { useModel } from "../shared/useModel";
import { placeOf, scoreOf, type Board, type Score } from "./scores";
import { settingsOf, type BoardSettings } from "./settings";
import { nextOf } from "./next";
import { ranking, type Ranked } from "./ranking";
import { strips } from "./strips";
import { useTrainer } from "./useRun";
import { changeWords, finding, gainWords, isOfGate, nearestTo, ruleWords, two } from "./words";

type State = Values<BoardSettings>;

const firstGate = `({ ratio, advantage }) =>
  Math.min(ratio * advantage, Math.min(Math.max(ratio, 0.8), 1.2) * advantage)`;

const signs = { passed: "✓", failed: "✗", noted: "!", told: "·" } as const;

interface MenuOption {
  readonly value: string;
  readonly text: string;
}

function menu(
  label: string,
  options: readonly MenuOption[],
  value: string,
  choose: (value: string) => void,
): ComponentChild {
  return h("label", null, [
    h("span", null, label),
    h(
      "select",
      { value, onChange: (event: Event) => choose((event.currentTarget as HTMLSelectElement).value) },
      options.map((one) => h("option", { value: one.value, selected: one.value === value }, one.text)),
    ),
  ]);
}

interface BoardProps {
  readonly model: Model<State>;
  readonly board: Board;
  readonly start: () => Worker;
  readonly site: Site | undefined;
}

function BoardPage({ model, board, start, site }: BoardProps): ComponentChild {
  const choose = useModel(model);
  const [rule, change] = [model.get("rule"), model.get("change")];
  const [path = "", value = ""] = change.split("~");
  const [writes, setWrites] = useState(false);
  const [code, setCode] = useState(firstGate);
  const [pending, setPending] = useState("");
  const trainer = useTrainer(board, rule, start);
  const { fields, findings, run, isBusy, problem } = trainer;

  const scores = useMemo(
    () =>
      new Map(
        board.rules.map(({ name, title, runs }) => [name, { title, score: scoreOf(board.worlds, runs) }]),
      ),
    [board],
  );
  const settings = useMemo(() => settingsOf([...scores.keys()]), [scores]);
  const base = scores.get(rule)!;
  const field = fields?.find((one) => one.path === (path === "" ? pending : path));
  // A link may hold a field that the rule does not have.
  const isRefused = fields !== undefined && change !== "" && !field?.values.includes(value);
  useEffect(() => {
    trainer.forget();
  }, [rule, change, writes]);

  const wanted = { rule, change: isRefused ? "" : change, ...(writes && { code }) };
  const isChanged = wanted.change !== "" || writes;
  const own: Score | undefined =
    run && run.runs.every(({ length }) => length > 0) ? scoreOf(board.worlds, run.runs) : undefined;
  const name = ruleWords(base.title, wanted.change, writes);
  const others = [...scores.values()].map(({ score }) => score.overall);
  const failed = findings?.filter(({ verdict }) => verdict === "failed") ?? [];
  const isChecked = !writes || (findings !== undefined && failed.length === 0);
  const done = run?.runs.reduce((sum, { length }) => sum + length, 0) ?? 0;
  const total = board.worlds.length * board.seeds.length;

  const heading =
    run?.isDone && own
      ? finding(name, placeOf(own.overall, others), others.length + 1, own)
      : isChanged
        ? `${name}: better or worse?`
        : finding(base.title, placeOf(base.score.overall, others), others.length, base.score);
  const pictured = [
    { name: "all three worlds", of: (score: Score) => score.overall },
    ...board.worlds.map(({ id, asks }, w) => ({
      name: `${id}: ${asks}`,
      of: (score: Score) => score.byWorld[w]!,
    })),
  ].map(({ name: title, of }) => ({
    name: title,
    others: [...scores.values()].map((one) => ({ title: one.title, score: of(one.score) })),
    base: of(base.score),
    own: own && of(own),
  }));
  const description = `${others.length} rules from worse than a random policy to the best one. ${base.title} is at ${two(base.score.overall)}${own ? `, ${name} at ${two(own.overall)}` : ""}.`;

  const lines: Ranked[] = [...scores.entries()].map(([key, one]) => ({ key, ...one, isOwn: false }));
  if (own && run?.isDone) lines.push({ key: "", title: name, score: own, isOwn: true });

  return h("div", { class: "board" }, [
    h("h1", null, heading),
    h(
      "p",
      { class: "soft" },
      "Change one field of a rule and train it here, next to all the others: three small worlds, " +
        `${board.seeds.length} seeds, ${board.updates} updates. 0 is the random policy, 1 the best one; every return is exact.${rule === "grpo" ? " GRPO judges each try by its group, the tries at the same task." : ""}`,
    ),
    isRefused &&
      h("p", { role: "alert", class: "problem" }, [
        `This link holds a change that ${base.title} does not take, which was left out: ${change.replace("~", " ")}`,
      ]),
    h("div", { class: "filters" }, [
      menu(
        "rule",
        board.rules.map(({ name: key, title }) => ({ value: key, text: title })),
        rule,
        (next) => {
          setPending("");
          model.set("change", "");
          choose("rule", next);
        },
      ),
      menu(
        "field",
        [
          { value: "", text: fields === undefined ? "loading…" : "as it is" },
          ...(fields ?? []).map((one) => ({ value: one.path, text: `${one.path} (${one.own})` })),
        ],
        field?.path ?? "",
        (next) => {
          setPending(next);
          const chosen = fields?.find((one) => one.path === next);
          choose("change", chosen === undefined ? "" : `${next}~${nearestTo(chosen.own, chosen.values)}`);
        },
      ),
      field &&
        menu(
          "to",
          field.values.map((one) => ({ value: one, text: one })),
          value,
          (next) => choose("change", `${field.path}~${next}`),
        ),
    ]),
    field && h("p", { class: "small" }, field.help),
    h(
      "details",
      {
        open: writes,
        onToggle: (event: Event) => setWrites((event.currentTarget as HTMLDetailsElement).open),
      },
      [
        h("summary", null, "Or write a gate"),
        isOfGate(wanted.change) &&
          h(
            "p",
            { class: "small" },
            `It replaces the rule’s gate, and with it ${changeWords(wanted.change)}.`,
          ),
        h("label", null, [
          h(
            "span",
            { class: "small" },
            "Objective of one token, from its ratio, advantage and logProb; the gate so decides how far a batch pushes the token. It stays on this page: a link never holds it.",
          ),
          h("textarea", {
            rows: 4,
            spellcheck: false,
            value: code,
            onInput: (event: Event) => {
              setCode((event.currentTarget as HTMLTextAreaElement).value);
              trainer.forget();
            },
          }),
        ]),
        h(
          "p",
          null,
          h(
            "button",
            {
              type: "button",
              // A button that is disabled loses the focus.
              "aria-disabled": isBusy,
              onClick: () => {
                if (!isBusy) trainer.check(wanted);
              },
            },
            "Check it",
          ),
        ),
        findings &&
          h("div", { role: "status" }, [
            h(
              "p",
              null,
              failed.length === 0
                ? "checkRule found no fault."
                : `checkRule found ${failed.length === 1 ? "a fault" : `${failed.length} faults`}, so it is not trained.`,
            ),
            h(
              "ul",
              { class: "findings" },
              findings
                .filter(({ verdict }) => verdict === "failed" || verdict === "noted")
                .map(({ check, verdict, sentence, hint }) =>
                  h("li", null, [
                    h("b", null, `${signs[verdict]} ${check}: `),
                    sentence,
                    hint ? ` ${hint}` : "",
                  ]),
                ),
            ),
          ]),
      ],
    ),
    h("div", { class: "bar" }, [
      isBusy
        ? h("button", { type: "button", onClick: () => trainer.stop() }, "Stop")
        : h(
            "button",
            {
              class: "go",
              type: "button",
              disabled: !isChanged || !isChecked,
              onClick: () => trainer.train(wanted),
            },
            "Get its score",
          ),
      // Not read aloud with each step, as a status would be.
      run &&
        !run.isDone &&
        h("span", { class: "count" }, [
          h("progress", { max: total, value: done, "aria-label": "Training runs done" }),
          ` ${done} of ${total} training runs`,
        ]),
      h("span", { role: "status" }, [
        run?.isDone && own
          ? gainWords(base.title, own, base.score)
          : run
            ? ""
            : isBusy
              ? "Checking…"
              : writes && !isChecked
                ? "Check the gate first."
                : isChanged
                  ? ""
                  : "Choose a field to change.",
      ]),
    ]),
    problem !== "" && h("p", { role: "alert", class: "problem" }, problem),
    h("figure", null, [
      strips(pictured, description),
      h("figcaption", { class: "keys" }, [
        h("span", { class: "key-base" }, base.title),
        isChanged && h("span", { class: "key-own" }, name),
        h("span", { class: "key-other" }, "all other rules"),
      ]),
    ]),
    h("h2", null, "All rules"),
    ranking(board, lines, rule, site),
    h("p", { class: "small" }, [
      `Seeds ${board.seeds[0]} to ${board.seeds.at(-1)!}, the same for every rule; each has its own step sizes, tuned for none of these worlds. `,
      "Two have help that the others lack: RL-PLUS sees demonstrations, on-policy distillation a teacher. ",
      "Whoever tries many changes on these seeds will find one that looks good by luck: try it on other seeds before you believe it.",
    ]),
    h(Ending, {
      site,
      fragment: linkOf(settings, { rule, change }),
      subject: "this change",
      next: nextOf(rule, base.title),
    }),
  ]);
}

/** The board, and the site around it if there is one; `start` gives a worker that trains. */
export const boardView = (board: Board, start: () => Worker, site?: Site): View<State> => ({
  render({ model, el }) {
    render(h(BoardPage, { model, board, start, site }), el);
    return () => render(null, el);
  },
});
