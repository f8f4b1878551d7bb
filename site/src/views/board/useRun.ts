import { useEffect, useRef, useState } from "preact/hooks";
import type { Field, Finding, FromWorker, ToWorker, Wanted } from "./protocol";
import type { Board } from "./scores";

/** A training on the board: what has been reached so far, by world and seed. */
export interface Run {
  readonly wanted: Wanted;
  readonly runs: readonly (readonly number[])[];
  readonly isDone: boolean;
}

/** Answers of the worker, and the questions that it takes. */
export interface Trainer {
  /** Fields of the rule; undefined until the worker has told them. */
  readonly fields: readonly Field[] | undefined;
  readonly findings: readonly Finding[] | undefined;
  readonly run: Run | undefined;
  readonly isBusy: boolean;
  readonly problem: string;
  check(wanted: Wanted): void;
  train(wanted: Wanted): void;
  /** Ends what is running, also an endless loop of a gate. */
  stop(): void;
  forget(): void;
}

/** A worker that is started when it is first asked, and again after it was stopped. */
export function useTrainer(board: Board, rule: string, start: () => Worker): Trainer {
  const worker = useRef<Worker | undefined>(undefined);
  const [fields, setFields] = useState<Readonly<Record<string, readonly Field[]>>>({});
  const [findings, setFindings] = useState<readonly Finding[] | undefined>(undefined);
  const [run, setRun] = useState<Run | undefined>(undefined);
  const [busy, setBusy] = useState<"" | "checking" | "training">("");
  const [problem, setProblem] = useState("");

  const hear = (message: FromWorker): void => {
    switch (message.kind) {
      case "fields":
        return setFields((known) => ({ ...known, [message.rule]: message.fields }));
      case "checked":
        setFindings(message.findings);
        return setBusy("");
      case "reached":
        return setRun((now) => now && withReached(now, message));
      case "done":
        setRun((now) => now && { ...now, isDone: true });
        return setBusy("");
      case "problem":
        setProblem(message.problem);
        setRun((now) => (now?.isDone ? now : undefined));
        setBusy("");
    }
  };
  const ask = (message: ToWorker): void => {
    if (worker.current === undefined) {
      const made = start();
      made.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
      made.onerror = () =>
        hear({ kind: "problem", problem: "Cannot train: the library could not be loaded. Reload the page." });
      worker.current = made;
    }
    worker.current.postMessage(message);
  };
  const end = (): void => {
    worker.current?.terminate();
    worker.current = undefined;
    setBusy("");
  };
  // A worker that trains would answer late, and one that is ended never.
  useEffect(() => {
    if (busy === "" && fields[rule] === undefined) ask({ kind: "fields", rule });
  }, [rule, busy]);
  useEffect(() => end, []);
  return {
    fields: fields[rule],
    findings,
    run,
    isBusy: busy !== "",
    problem,
    check(wanted) {
      if (busy !== "") end();
      setProblem("");
      setFindings(undefined);
      setBusy("checking");
      ask({ kind: "check", wanted });
    },
    train(wanted) {
      if (busy !== "") end();
      setProblem("");
      setRun({ wanted, runs: board.worlds.map(() => []), isDone: false });
      setBusy("training");
      ask({ kind: "run", wanted, worlds: board.worlds.map(({ id }) => id), seeds: board.seeds });
    },
    stop() {
      end();
      setRun(undefined);
    },
    forget() {
      if (busy !== "") end();
      setRun(undefined);
      setFindings(undefined);
      setProblem("");
    },
  };
}

function withReached(
  run: Run,
  { world, reached }: { readonly world: number; readonly reached: number },
): Run {
  return { ...run, runs: run.runs.map((returns, w) => (w === world ? [...returns, reached] : returns)) };
}
