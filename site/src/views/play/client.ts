import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import type { Name, Value } from "./catalog";
import type { Closest, Episode, FromWorker, Point, Shot, Task, ToWorker } from "./protocol";

/** All that the page knows of a run. */
export interface Progress {
  readonly optimum: number | undefined;
  readonly start: number | undefined;
  readonly closest: Closest | undefined;
  readonly points: readonly Point[];
  readonly episodes: readonly Episode[];
  readonly isDone: boolean;
  readonly digest: string;
  readonly problem: string;
}

const unknown: Progress = {
  optimum: undefined,
  start: undefined,
  closest: undefined,
  points: [],
  episodes: [],
  isDone: false,
  digest: "",
  problem: "",
};

/** An update that is looked at from the inside, as soon as it has been played again. */
export interface Looked {
  readonly key: string;
  readonly update: number;
  readonly shot: Shot | undefined;
  readonly problem: string;
}

export interface Trainer {
  progressOf(task: Task): Progress;
  readonly looked: Looked | undefined;
  look(task: Task, update: number): void;
  /** Why values of a setting do not fit the run; undefined until it is known. */
  reasonsOf(task: Task, name: Name): Readonly<Record<string, string>> | undefined;
  ask(task: Task, name: Name, values: readonly Value[]): void;
  /** Why there is no training at all; empty if there is. */
  readonly failure: string;
}

/** A slider that is dragged passes through values that nobody wants: only where it rests, training begins. */
const restMs = 120;
/** As many runs are remembered, so that going back to one shows it at once. */
const mostRemembered = 40;

/** Has a worker train the tasks, and draws the page again at most once a picture of the screen. */
export function useTrainer(start: () => Worker, tasks: readonly Task[], isRunning: boolean): Trainer {
  const [, refresh] = useReducer((n: number) => n + 1, 0);
  const known = useRef(new Map<string, Progress>()).current;
  const fits = useRef(new Map<string, Readonly<Record<string, string>>>()).current;
  const looked = useRef<Looked | undefined>(undefined);
  const failure = useRef("");
  const frame = useRef(0);
  const draw = (): void => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      refresh(undefined);
    });
  };
  const worker = useMemo(start, []);
  const send = (message: ToWorker): void => worker.postMessage(message);
  useEffect(() => {
    const heard = ({ data }: MessageEvent<FromWorker>): void => {
      take(data);
      draw();
    };
    const failed = (event: ErrorEvent): void => {
      failure.current = event.message || "the script of the training could not be loaded";
      draw();
    };
    worker.addEventListener("message", heard);
    worker.addEventListener("error", failed);
    return () => {
      cancelAnimationFrame(frame.current);
      worker.terminate();
    };
  }, []);

  function take(data: FromWorker): void {
    const { key } = data;
    const sofar = known.get(key) ?? unknown;
    switch (data.kind) {
      case "opened": {
        const { optimum, start: first, closest, problem } = data;
        known.set(key, { ...unknown, optimum, start: first, closest, problem });
        for (const old of [...known.keys()].slice(0, -mostRemembered)) known.delete(old);
        return;
      }
      case "points": {
        const { isDone, digest, problem } = data;
        const episodes = data.episodes.length > 0 ? data.episodes : sofar.episodes;
        const points = [...sofar.points, ...data.points];
        known.set(key, { ...sofar, points, episodes, isDone, digest, problem });
        return;
      }
      case "film":
        looked.current = data;
        return;
      case "fits":
        fits.set(`${key} ${data.name}`, data.reasons);
    }
  }

  const open = tasks.filter(({ key }) => !known.get(key)?.isDone);
  const wanted = open.map(({ key }) => key).join("\n");
  const isFirst = useRef(true);
  useEffect(() => {
    const timer = setTimeout(
      () => send({ kind: "tasks", tasks: open, isRunning }),
      isFirst.current ? 0 : restMs,
    );
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [wanted, isRunning]);
  return {
    progressOf: ({ key }) => known.get(key) ?? unknown,
    looked: looked.current,
    look: (task, update) => send({ kind: "film", task, update }),
    reasonsOf: ({ key }, name) => fits.get(`${key} ${name}`),
    ask: (task, name, values) => send({ kind: "fits", task, name, values }),
    failure: failure.current,
  };
}
