import type { FromWorker, Point, Task, ToWorker } from "./protocol";
import { closestTo, settingsOf, shoot, Training } from "./training";

interface Scope {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", heard: (event: { readonly data: ToWorker }) => void): void;
}

const scope = globalThis as unknown as Scope;
const tell = (message: FromWorker): void => scope.postMessage(message);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A curve grows by what was made in so long a time: more often than a screen shows pictures would be in vain. */
const tellEveryMs = 60;
const episodesEveryMs = 400;

interface Job {
  readonly task: Task;
  readonly training: Training;
  untold: Point[];
  toldAt: number;
  playedAt: number;
}

const jobs = new Map<string, Job | "refused">();
let wanted: readonly Task[] = [];
let isRunning = false;
let isGoing = false;
let film = 0;

scope.addEventListener("message", ({ data }) => {
  switch (data.kind) {
    case "tasks":
      wanted = data.tasks;
      isRunning = data.isRunning;
      for (const key of jobs.keys()) if (!wanted.some((task) => task.key === key)) jobs.delete(key);
      wanted.forEach(open);
      void go();
      return;
    case "film":
      void shootFor(data.task, data.update);
      return;
    case "fits": {
      const { task, name, values } = data;
      const reasons = values.map((value) => {
        try {
          void settingsOf({ ...task, run: { ...task.run, changes: { ...task.run.changes, [name]: value } } })
            .row;
          return [String(value), ""];
        } catch (error) {
          return [String(value), messageOf(error)];
        }
      });
      tell({
        kind: "fits",
        key: task.key,
        name,
        reasons: Object.fromEntries(reasons) as Record<string, string>,
      });
    }
  }
});

/** Begins a training that is not yet known. */
function open(task: Task): void {
  if (jobs.has(task.key)) return;
  const { key } = task;
  try {
    const training = new Training(task);
    jobs.set(key, { task, training, untold: [], toldAt: 0, playedAt: -Infinity });
    tell({
      kind: "opened",
      key,
      optimum: training.optimum,
      start: training.start,
      closest: closestTo(settingsOf(task).row),
      problem: "",
    });
  } catch (error) {
    jobs.set(key, "refused");
    tell({
      kind: "opened",
      key,
      optimum: undefined,
      start: undefined,
      closest: undefined,
      problem: messageOf(error),
    });
  }
}

/** Trains all that is wanted, an update of each in turn, so that their curves grow side by side. */
async function go(): Promise<void> {
  if (isGoing) return;
  isGoing = true;
  try {
    for (;;) {
      const open = [...jobs.values()].filter((job): job is Job => job !== "refused" && !job.training.isDone);
      if (!isRunning || open.length === 0) break;
      for (const job of open) await advance(job);
    }
  } finally {
    isGoing = false;
  }
  for (const job of jobs.values()) if (job !== "refused" && job.untold.length > 0) report(job, true);
}

async function advance(job: Job): Promise<void> {
  try {
    const point = await job.training.next();
    if (point) job.untold.push(point);
    if (job.training.isDone || performance.now() - job.toldAt > tellEveryMs) report(job, job.training.isDone);
  } catch (error) {
    jobs.set(job.task.key, "refused");
    report(job, false, messageOf(error));
  }
}

function report(job: Job, withEpisodes: boolean, problem = ""): void {
  const now = performance.now();
  const { key } = job.task;
  // It was left meanwhile.
  if (!jobs.has(key)) return;
  const plays = problem === "" && (withEpisodes || now - job.playedAt > episodesEveryMs);
  if (plays) job.playedAt = now;
  const { isDone } = job.training;
  tell({
    kind: "points",
    key,
    points: job.untold,
    episodes: plays ? job.training.episodes() : [],
    isDone,
    digest: isDone ? job.training.digest : "",
    problem,
  });
  job.untold = [];
  job.toldAt = now;
}

async function shootFor(task: Task, update: number): Promise<void> {
  const mine = ++film;
  try {
    const shot = await shoot(task, update, () => mine === film);
    if (mine === film) tell({ kind: "film", key: task.key, update, shot, problem: "" });
  } catch (error) {
    if (mine === film)
      tell({ kind: "film", key: task.key, update, shot: undefined, problem: messageOf(error) });
  }
}
