import { chromium } from "playwright-core";
import { inTypes, startTypes, typesSite } from "./typesPage.js";

// How long the types of a page take: node build/test/site/typesSpeed.js [rounds]. Each round opens a page that has nothing cached.

const rows = {
  "first cell prepared, ms": "prepared",
  "types loaded and ready, ms": "ready",
  "first completion after that, ms": "completed",
  "first check of a cell that imports the library, ms": "checked",
  "small cell checked, ms": "small",
} as const;

type Round = Record<(typeof rows)[keyof typeof rows], number>;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function main(rounds: number): Promise<void> {
  const site = await typesSite();
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const found: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await site.open(browser);
    await startTypes(page);
    found.push(
      await inTypes(page, async (types) => {
        const timed = async (run: () => Promise<unknown>): Promise<number> => {
          const start = performance.now();
          await run();
          return performance.now() - start;
        };
        const prepare = (code: string) => (): Promise<unknown> =>
          types.ask("prepare", { code, name: "cell.ts", expressions: {} });
        return {
          prepared: await timed(prepare("const a = [1, 2]\na.length")),
          ready: await timed(() => types.load()),
          completed: await timed(() => types.ask("complete", { code: "a.", offset: 2 })),
          checked: await timed(prepare('import { recipe } from "turnwise"\nrecipe("grpo")')),
          small: await timed(prepare("a.map((x) => x + 1)")),
        };
      }),
    );
    await page.context().close();
  }
  for (const [title, key] of Object.entries(rows))
    console.log(
      `${title.padEnd(52)} ${median(found.map((round) => round[key]))
        .toFixed(0)
        .padStart(6)}`,
    );
  await browser.close();
  site.close();
}

void main(Number(process.argv[2] ?? 5));
