import { learningCurve, renderSvg } from "turnwise/plot";
import { storedEpisodes, storedOwn } from "./record.js";
import { seeds } from "./setting.js";

/** What the server paid TRL's episodes on average, an update each; a run for each seed. */
function paidByUpdate(): { update: number; metrics: { "reward/mean": number } }[][] {
  const sums = new Map<string, [sum: number, count: number]>();
  for (const { run, update, rewards } of storedEpisodes()) {
    const [sum, count] = sums.get(`${run}:${update}`) ?? [0, 0];
    sums.set(`${run}:${update}`, [rewards.reduce((a, b) => a + b, sum), count + 1]);
  }
  return seeds.map((seed) =>
    [...sums].flatMap(([key, [sum, count]]) => {
      const [run, update] = key.split(":").map(Number);
      return run === seed ? [{ update: update!, metrics: { "reward/mean": sum / count } }] : [];
    }),
  );
}

/** docs/trl.svg: TRL's curve beside ours. */
export function curves(): Promise<string> {
  const own = storedOwn();
  const ours = seeds.map((seed) => own.filter((line) => line.seed === seed));
  const chart = learningCurve(
    { TRL: paidByUpdate(), turnwise: ours },
    { metric: "reward/mean", optimum: 1, title: "One row, two trainers: LookUp-v0" },
  );
  const spec = chart.toSpec();
  // The page says in words what the picture shows.
  return renderSvg({ ...spec, config: { ...(spec["config"] as object), aria: false } });
}
