// Uses internals of turnwise-practice, turnwise/monitor.
import assert from "node:assert/strict";
import type { Watched } from "turnwise/internal/monitor/echoTrapMonitor";
import { pictureOfLog } from "turnwise-practice/internal/report/logCard";
import { logPicture, type LogMark } from "turnwise-practice/internal/report/logPicture";

const watched = (values: readonly (number | undefined)[]): Watched[] =>
  values.map((success, i) => ({
    record: { update: 10 * (i + 1), metrics: {} },
    signals: { success },
  })) as unknown as Watched[];

/** The curves of a picture, which are the paths with round ends. */
const curves = (svg: string): string[] =>
  [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke-linecap="round"/g)].map(([, path]) => path!);
const texts = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, words]) => words!);
const heightOf = (svg: string): number => Number(/height="([\d.]+)"/.exec(svg)![1]);

describe("the picture of a log", () => {
  // 720 wide, with 64 and 14 at the sides; one panel of 76 below 30, whose curve lies between 50 and 98.
  const draw = (values: readonly (number | undefined)[], marks: readonly LogMark[] = []): string =>
    logPicture(watched(values), marks, "a log").svg;

  it("lays steps and values out by their share of the range, and leaves out a step without the metric", () => {
    const svg = draw([0, 0.5, 1]);
    assert.deepEqual(curves(svg), ["M64.0 98.0L385.0 74.0L706.0 50.0"]);
    assert.ok(["step 10", "30", "0", "1"].every((words) => texts(svg).includes(words)));
    assert.deepEqual(curves(draw([0, undefined, 1])), ["M64.0 98.0L706.0 50.0"]);
    // What cannot be drawn leaves a gap: two dots.
    assert.deepEqual(curves(draw([0, NaN, 1])), ["M64.0 98.0L64.0 98.0M706.0 50.0L706.0 50.0"]);
  });

  it("draws a value that never changes in the middle, and names it once", () => {
    const svg = draw([0.25, 0.25]);
    assert.deepEqual(curves(svg), ["M64.0 74.0L706.0 74.0"]);
    assert.equal(texts(svg).filter((words) => words === "0.25").length, 1);
  });

  it("draws a line over all panels at each mark, and names in rows, as far as there is room", () => {
    const mark = (step: number, name: string, color?: string): LogMark => ({
      step,
      name,
      ...(color && { color }),
    });
    const svg = draw([0, 0.5, 1], [mark(20, "1"), mark(20, "fall", "#D55E00"), mark(30, "2")]);
    // A second row of names is 15 high.
    assert.equal([...svg.matchAll(/d="M385\.?0? 39\.?0?L385\.?0? 115\.?0?"/g)].length, 2);
    assert.equal([...svg.matchAll(/d="M706\.?0? 39\.?0?L706\.?0? 115\.?0?"/g)].length, 1);
    const names = texts(svg).filter((words) => ["1", "2", "fall"].includes(words));
    // One 1 is the axis' own; the mark of that name stands above the fall's.
    assert.deepEqual(names.sort(), ["1", "1", "2", "fall"]);
    assert.equal(heightOf(svg), 145);
    // Six marks on one step have three rows, and no fourth.
    const crowded = draw(
      [0, 0.5, 1],
      ["a", "b", "c", "d", "e", "f"].map((name) => mark(20, name)),
    );
    assert.deepEqual(
      texts(crowded).filter((words) => /^[a-f]$/.test(words)),
      ["a", "b", "c"],
    );
  });

  it("says below what each alarm is worth, or that there was none", () => {
    const log = { framework: "trl", records: [{ update: 10 }, { update: 20 }], runs: [], run: 1 };
    const written = (alarms: readonly object[]): string[] =>
      texts(pictureOfLog(log as never, { alarms, watched: watched([0, 1]), fall: null } as never).svg);
    assert.ok(written([]).includes("No alarm."));
    // An alarm of another name than those that runs with a known outcome were watched by.
    const own = written([{ rule: "mine", update: 20, threshold: 1 }]);
    assert.ok(
      own.includes("1  mine, step 20: not tried on stored runs") && !own.includes("No alarm."),
      own.join("|"),
    );
    assert.ok(own.includes("A log of TRL: 2 steps, 10 to 20"));
  });

  it("has room for what is written below it", () => {
    // Without words 30 + 76 + 24; with a title 56 + 76 + 24, and 19 for each line and 6 more.
    assert.equal(heightOf(draw([0, 1])), 130);
    const words = (below: readonly string[]) => ({ title: "A log", below });
    const tall = (below: readonly string[]): number =>
      heightOf(logPicture(watched([0, 1]), [], "a log", words(below)).svg);
    assert.deepEqual([tall([]), tall(["No alarm."]), tall(["one", "two"])], [156, 181, 200]);
  });
});
