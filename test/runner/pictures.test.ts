import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { MimeBundle, NbformatOutput } from "turnwise-kernel";
import { heatMap } from "turnwise";
import { vegaLiteMime } from "turnwise/plot";
import { readNotebook, stringifyNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { notebookToHtml } from "turnwise-kernel/dist/runner/page/page.js";
import { pictureMime, withPictures } from "turnwise-kernel/dist/runner/pictures.js";
import { code, notebookOf } from "../support/notebook.js";
import { temporaryFolder, turnwise } from "../support/command.js";

const specOf = (high: number): object => ({
  description: 'a "rising" line',
  data: { values: [1, high].map((y, x) => ({ x, y })) },
  mark: { type: "line", clip: true },
  encoding: { x: { field: "x", type: "quantitative" }, y: { field: "y", type: "quantitative" } },
});

function cellWith(...bundles: MimeBundle[]): ReturnType<typeof code> {
  const cell = code("chart");
  cell.outputs = bundles.map((data): NbformatOutput => ({ output_type: "display_data", data, metadata: {} }));
  return cell;
}

async function pictured(...bundles: MimeBundle[]): Promise<MimeBundle[]> {
  const { cells } = await withPictures(notebookOf(cellWith(...bundles)));
  return cells[0]!.outputs!.map((output) => ("data" in output ? output.data : {}));
}

const chart = (high: number): MimeBundle => ({ [vegaLiteMime]: specOf(high), "text/plain": "line" });

describe("pictures of charts", () => {
  it("stand beside the specification, black on white, with its description", async () => {
    const [bundle] = await pictured(chart(2));
    assert.deepEqual(bundle![vegaLiteMime], specOf(2));
    assert.equal(bundle!["text/plain"], "line");
    const svg = bundle![pictureMime] as string;
    assert.match(svg, /^<svg role="img" aria-label="a &quot;rising&quot; line" /);
    assert.match(svg, /<rect width="\d+" height="\d+" fill="white"\/>/);
    assert.doesNotMatch(svg, /currentColor|<script/);
    assert.equal(svg.match(/aria-/g)!.length, 1, "single marks are not described");
  });

  it("are equal to the byte for equal charts, and share no names otherwise", async () => {
    const [a, b, again] = (await pictured(chart(2), chart(3), chart(2))).map((x) => x[pictureMime] as string);
    assert.equal(a, again);
    const names = (svg: string): string[] => [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    assert.ok(names(a!).length > 0, "a clipped line has a clip path");
    for (const id of names(a!)) {
      assert.ok(a!.includes(`url(#${id})`));
      assert.ok(!b!.includes(id), `${id} is in both`);
    }
  });

  it("have the links that are harmless, and are drawn without the others: no link ends the run", async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listener);
    try {
      const linked = (href: unknown): MimeBundle => ({
        [vegaLiteMime]: {
          data: { values: [{ x: 1, href }] },
          mark: "point",
          encoding: { x: { field: "x", type: "quantitative" }, href: { field: "href", type: "nominal" } },
        },
      });
      const linkOf = async (href: unknown): Promise<string | undefined> => {
        const [bundle] = await pictured(linked(href));
        return /<a xlink:href="([^"]*)"/.exec(bundle![pictureMime] as string)?.[1];
      };
      const kept = [
        "https://example.org/a?b=1",
        "mailto:a@example.org",
        "#here",
        "beside.html",
        "../b.html?c=d:e",
      ];
      for (const href of kept) assert.equal(await linkOf(href), href);
      const refused = [
        "javascript:alert(1)",
        "vscode://x",
        " JaVa\nscript:1",
        "data:text/html,x",
        "file:///etc",
        "blob:x",
        7,
      ];
      for (const href of refused) assert.equal(await linkOf(href), undefined, String(href));
      // Node reports a rejection that nobody has handled when the microtasks are done.
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(unhandled, []);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });

  it("show long labels whole", async () => {
    const label = "a rather long name of a rule, divided by the group's std";
    const chart = heatMap([{ row: label, column: "c", value: 1 }], {
      title: "t",
      columnTitle: "c",
      rowTitle: "r",
      scale: "amount",
    });
    const [bundle] = await pictured({ [vegaLiteMime]: chart.toSpec() });
    assert.ok((bundle![pictureMime] as string).includes(`>${label}</text>`));
  });

  it("leave other outputs, and charts that cannot be drawn, as they are", async () => {
    const others = [{ "text/plain": "1" }, { [vegaLiteMime]: { mark: "no such mark" }, "text/plain": "x" }];
    assert.deepEqual(await pictured(...others), others);
  });

  it("do not come twice on our own page, which draws the specification", async () => {
    const page = await notebookToHtml(await withPictures(notebookOf(cellWith(chart(2)))), "page");
    assert.equal(page.match(/<svg/g)!.length, 1);
    assert.doesNotMatch(page, /data:image\/svg/);
  });

  it("come into a notebook that was saved without them, by `turnwise pictures`", async () => {
    const file = path.join(temporaryFolder("pictures"), "saved.ipynb");
    fs.writeFileSync(file, stringifyNotebook(notebookOf(cellWith(chart(2)))));
    const drawn = await turnwise(["pictures", file]);
    assert.deepEqual(drawn, { code: 0, stdout: "saved.ipynb: 1 pictures\n", stderr: "" });
    const output = readNotebook(file).cells[0]!.outputs![0]!;
    assert.ok("data" in output && String(output.data[pictureMime]).startsWith("<svg"));
    fs.writeFileSync(file, JSON.stringify({ nbformat: 3, worksheets: [] }));
    const old = await turnwise(["pictures", file]);
    assert.equal(old.code, 1);
    assert.equal(
      old.stderr,
      `Cannot draw the charts of ${file}: it must be a notebook of format 4, but nbformat is 3.\n`,
    );
  });
});
