import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { doctor } from "turnwise-practice";
import { recipe, recipeNames } from "turnwise";
import { Training } from "turnwise-site/internal/views/play/training";
import { readCourse } from "turnwise-site/builder/course.cjs";
import { serve } from "turnwise-site/builder/serve.cjs";
import { viewSizes } from "turnwise-site/builder/viewSizes.cjs";
import { views, writeViews } from "turnwise-site/builder/views.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";
import { patient } from "../../support/patient.js";
import { root } from "../../support/paths.js";
import { useBrowser } from "../../support/sharedBrowser.js";

describe("a page without a cell", function () {
  this.timeout(patient(60_000));
  const course = readCourse(root);
  let out = "";
  let address = "";
  let server: Awaited<ReturnType<typeof serve>> | undefined;
  before(async () => {
    out = path.join(temporaryFolder(), "site");
    await writeViews(root, out);
    server = await serve(out, { port: 0 });
    address = `http://localhost:${String((server.address() as { port: number }).port)}/`;
  });
  after(() => {
    server?.close();
    removeTemporaryFolders();
  });

  /** Opens a view and collects what goes wrong in it, and whatever it asks of other hosts. */
  const open = async (
    context: Mocha.Context,
    name: string,
    options: BrowserContextOptions,
  ): Promise<[Page, string[]]> => {
    const browser = await useBrowser(context);
    const page = await (await browser.newContext(options)).newPage();
    const wrong: string[] = [];
    page.on("pageerror", ({ message }) => wrong.push(message));
    page.on("request", (request) => {
      // What a page has made itself is in its memory.
      const isHere = request.url().startsWith(address) || request.url().startsWith("blob:");
      if (!isHere) wrong.push(request.url());
    });
    await page.goto(address + name);
    return [page, wrong];
  };

  const screens = [
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  ] as const;
  for (const name of ["unlearn", "play", "film", "rules", "rules/seeUpo", "board", "doctor", "forecast"])
    it(`gives axe-core nothing to find: ${name}/`, async function () {
      for (const screen of screens) {
        const [page, wrong] = await open(this, `${name}/`, { ...screen, reducedMotion: "reduce" });
        await page.getByRole("heading", { level: 1 }).waitFor();
        // As a debugger would, which a page's policy on scripts does not stop.
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
        assert.deepEqual(found, [], screen.colorScheme);
        assert.deepEqual(wrong, []);
        await page.context().close();
      }
    });

  for (const [name, hash] of [
    ["unlearn", "#group=2"],
    ["film", "#clip=on"],
    ["play", "#updates=50&runs=grpo"],
    ["forecast", "#draw=3"],
    ["board", "#rule=dapo"],
  ] as const)
    it(`ends with a link that holds its setting, and with where to go next: ${name}/`, async function () {
      const [page, wrong] = await open(this, `${name}/${hash}`, { permissions: ["clipboard-write"] });
      await page.getByRole("button", { name: "Copy the link" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      assert.equal(await page.getByLabel(/^Link to/).inputValue(), `${address}${name}/${hash}`);
      const links = page.getByRole("navigation", { name: "Next" }).getByRole("link");
      const targets = await links.evaluateAll((all) =>
        all.map((one) => ({ to: new URL((one as HTMLAnchorElement).href).pathname, name: one.textContent })),
      );
      assert.ok(targets.length >= 2);
      for (const { to, name: words } of targets) {
        const lesson = /^\/lessons\/([^/]+)\/$/.exec(to)?.[1];
        if (lesson === undefined) assert.ok(fs.existsSync(path.join(out, to, "index.html")), to);
        else {
          const { number, title } = course.lessons.find((one) => one.name === lesson)!;
          assert.equal(words, `Lesson ${number}: ${title}`);
        }
      }
      assert.deepEqual(wrong, []);
      await page.context().close();
    });

  it("gives a slider 24 pixels for a pointer and 44 for a thumb, and names three in the bandit's line on the first page", async function () {
    for (const [options, least] of [
      [{ viewport: { width: 1280, height: 900 } }, 24],
      [{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, 44],
    ] as const)
      for (const [name, count] of [
        ["unlearn", 3],
        ["film", 5],
        ["play", 4],
      ] as const) {
        const [page] = await open(this, `${name}/#${name === "play" ? "updates=50&runs=grpo" : ""}`, options);
        const sliders = page.locator("input[type=range]:visible");
        await sliders.first().waitFor();
        const heights = await sliders.evaluateAll((all) =>
          all.map((one) => one.getBoundingClientRect().height),
        );
        assert.equal(heights.length, count, name);
        assert.ok(Math.min(...heights) >= least, `${name}: ${String(heights)}`);
        await page.context().close();
      }
    assert.match(views["unlearn"]!.text, /with three sliders/);
  });

  for (const [name, hash] of [
    ["unlearn", ""],
    ["film", ""],
    ["play", "#updates=50&runs=grpo"],
    ["forecast", ""],
    ["doctor", ""],
    ["board", ""],
    ["rules", ""],
    ["rules/gspo", ""],
  ] as const)
    it(`takes the keyboard to every control, and shows where it is: ${name}/`, async function () {
      const [page, wrong] = await open(this, `${name}/${hash}`, { reducedMotion: "reduce" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.locator("button:visible, select:visible, a.go").first().waitFor();
      if (name === "play") await page.getByRole("button", { name: "Back to the start" }).waitFor();
      const wanted = await page.evaluate(() => {
        const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
        return [...document.querySelectorAll<HTMLElement>(all)]
          .filter(
            (one) => one.checkVisibility() && !(one as HTMLButtonElement).disabled && one.offsetWidth > 1,
          )
          .map((one, i) => (one.dataset["stop"] = String(i)));
      });
      const met = new Set<string>();
      for (let press = 0; press < wanted.length + 5; press++) {
        await page.keyboard.press("Tab");
        const [stop, unseen] = await page.evaluate(() => {
          const one = document.activeElement as HTMLElement;
          const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(one);
          const ring = parseFloat(outlineOffset) + parseFloat(outlineWidth);
          const { left, top, right, bottom } = one.getBoundingClientRect();
          // A container that clips hides a ring that is outside it on all sides.
          const isClipped = (box: HTMLElement | null): boolean => {
            if (box === null) return false;
            const edge = box.getBoundingClientRect();
            const isOutside =
              left - ring < edge.left &&
              top - ring < edge.top &&
              right + ring > edge.right &&
              bottom + ring > edge.bottom;
            return (
              (getComputedStyle(box).overflow !== "visible" && isOutside) || isClipped(box.parentElement)
            );
          };
          const isSeen =
            outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && !isClipped(one.parentElement);
          return [one.dataset["stop"], isSeen || one === document.body ? "" : one.outerHTML];
        });
        assert.equal(unseen, "");
        if (stop !== undefined) met.add(stop);
      }
      assert.deepEqual([...met].sort(), [...wanted].sort());
      assert.deepEqual(wrong, []);
      await page.context().close();
    });

  it("leaves the keyboard on a control when the one that was pressed is gone", async function () {
    const [page, wrong] = await open(this, "play/#updates=50&runs=grpo,ppo", { reducedMotion: "reduce" });
    const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement!.textContent);
    await page.getByRole("button", { name: "Remove PPO" }).press("Enter");
    await page.getByRole("button", { name: "Remove PPO" }).waitFor({ state: "detached" });
    assert.match((await focused())!, /^GRPO/);
    await page.goto(`${address}unlearn/`);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.getByRole("button", { name: "Train the agent" }).press("Enter");
    await page.getByRole("button", { name: "Train again" }).waitFor();
    assert.equal(await focused(), "Train again");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${address}forecast/`);
    for (let round = 1; round <= 10; round++) {
      await page.getByText(`Run ${String(round)} of 10: your bet?`).waitFor();
      // The keyboard comes to the question a moment after its text, and would take a key from the bets.
      if (round > 1) await page.locator(".told:focus", { hasText: `Run ${String(round)} of` }).waitFor();
      await page.getByRole("button", { name: "no idea" }).press("Enter");
      await page.locator("button:focus", { hasText: /^(Next run|See your score)$/ }).waitFor();
      await page.keyboard.press("Enter");
    }
    await page.getByRole("button", { name: "Ten other runs" }).press("Enter");
    await page.getByText("Run 1 of 10: your bet?").waitFor();
    assert.equal(await focused(), "Run 1 of 10: your bet?");
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("fits into 100 kB, compressed, for the first picture, and its training into 350 kB", () => {
    const sizeOf = (...file: string[]): number =>
      zlib.gzipSync(fs.readFileSync(path.join(out, ...file))).length;
    for (const name of ["unlearn", "film", "play"]) {
      const bytes = sizeOf(name, `${name}.js`);
      assert.ok(bytes < 100_000, `${name}: ${String(bytes)} bytes`);
    }
    const worker = sizeOf("play", "worker.js");
    assert.ok(worker < 350_000, `the worker that trains: ${String(worker)} bytes`);
  });

  it("loads at most 350 kB, compressed, for the doctor of logs", () => {
    const size = (name: string): number =>
      zlib.gzipSync(fs.readFileSync(path.join(out, "doctor", name))).length;
    assert.ok(size("doctor.js") < 100_000, `${String(size("doctor.js"))} bytes`);
    assert.ok(size("worker.js") < 350_000, `${String(size("worker.js"))} bytes`);
  });

  it("makes of a run's files the page that the command makes, without a request", async function () {
    const [page, wrong] = await open(this, "doctor/", { acceptDownloads: true });
    await page.getByText("works without a network").waitFor();
    await page.context().setOffline(true);
    page.on("request", (request) => {
      if (!request.url().startsWith("blob:")) wrong.push(request.url());
    });
    const given = [
      "datasets/debugging/entropy-rises/launch.sh",
      "datasets/debugging/entropy-rises/run.jsonl",
      "datasets/trajectories/completions_00001.parquet",
    ].map((name) => path.join(root, name));
    await page.getByLabel("Files of the run").setInputFiles(given);
    await page.getByRole("heading", { name: "Success fell exit code 3" }).waitFor();
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save this page" }).press("Enter");
    const saved = fs.readFileSync(await (await saving).path(), "utf8");
    assert.equal(saved, (await doctor(given)).toHtml());
    // What is no log is refused, and says what a log is.
    await page.getByRole("button", { name: "Start over" }).press("Enter");
    await page.getByRole("button", { name: "Paste console output" }).press("Enter");
    await page.keyboard.type("Loading checkpoint shards");
    await page.getByRole("button", { name: "Examine it" }).press("Enter");
    await page.getByRole("heading", { name: "Nothing could be read exit code 1" }).waitFor();
    await page.getByText(/must hold a log, a configuration or rollouts/).waitFor();
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("cannot send anything from the page that reads a run's files", async function () {
    const [page] = await open(this, "doctor/", {});
    const refused = await page.evaluate(() =>
      fetch("views.css").then(
        () => "sent",
        (error: Error) => error.name,
      ),
    );
    assert.equal(refused, "TypeError");
    // Nor from a worker that it starts, as the one that reads the files.
    const inWorker = await page.evaluate(
      (target) =>
        new Promise((resolve) => {
          const script = `fetch(${JSON.stringify(target)}).then(() => postMessage("sent"), ({ name }) => postMessage(name))`;
          const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
          worker.onmessage = ({ data }) => resolve(data);
        }),
      `${address}views.css`,
    );
    assert.equal(inWorker, "TypeError");
    await page.context().close();
  });

  it("takes ten bets by keyboard, and tells how the alarms did on the same ten", async function () {
    const first = ["forecast.js", "runs.json"].map(
      (name) => zlib.gzipSync(fs.readFileSync(path.join(out, "forecast", name))).length,
    );
    assert.ok(first[0]! + first[1]! < 100_000, `${String(first)} bytes`);
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    const [page, wrong] = await open(this, "forecast/#draw=3", phone);
    for (let round = 1; round <= 10; round++) {
      await page.getByText(`Run ${String(round)} of 10: your bet?`).waitFor();
      // The keyboard comes to the question a moment after its text, and would take a key from the bets.
      if (round > 1) await page.locator(".told:focus", { hasText: `Run ${String(round)} of` }).waitFor();
      await page.getByRole("button", { name: "no idea" }).press("Enter");
      await page.getByText("You left it open.").waitFor();
      // The keyboard is on the button that goes on.
      await page.keyboard.press("Enter");
    }
    await page.getByRole("heading", { name: "0 of your 10 bets were right, and 10 left open" }).waitFor();
    await page.getByText(/on these ten: 0\.50/).waitFor();
    await page.getByRole("row", { name: /you .*0\.50/ }).waitFor();
    await page.getByText("yours is 0.50, as it never tells two runs apart").waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("shows GRPO unlearn the machine on a phone, and learn it by keyboard without the division", async function () {
    const phone = {
      viewport: { width: 390, height: 844 },
      colorScheme: "dark",
      reducedMotion: "reduce",
    } as const;
    const [page, wrong] = await open(this, "unlearn/#group=8&nonsense=1", phone);
    await page.getByRole("alert").filter({ hasText: "left out: nonsense=1" }).waitFor();
    await page.getByRole("button", { name: "Train the agent" }).click();
    await page.getByRole("heading", { name: "GRPO learns to take the salary, the worse choice" }).waitFor();
    await page.getByRole("button", { name: "Back to the start" }).click();
    await page.getByRole("status").filter({ hasText: "It pulls the machine 50%" }).waitFor();
    await page.getByRole("switch", { name: /divide/ }).press("Space");
    await page.getByRole("button", { name: "Train the agent" }).press("Enter");
    await page.getByRole("heading", { name: /learns to pull the machine, the better choice/ }).waitFor();
    await page.getByRole("slider", { name: "group size" }).press("ArrowRight");
    assert.equal(new URL(page.url()).hash, "#group=16&divide=off");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("loads a rule's page, the map and the board within 100 kB, and the board's library within 350 kB", () => {
    for (const [name, { first, worker = 0 }] of Object.entries(viewSizes(out))) {
      assert.ok(first < 100_000, `${name}: ${String(first)} bytes`);
      assert.ok(worker < 350_000, `${name}: ${String(worker)} bytes`);
    }
  });

  it("tells all about a rule without scripts: headings, equation, sources, links to its neighbors", async function () {
    const [page, wrong] = await open(this, "rules/", { javaScriptEnabled: false });
    assert.equal(await page.locator("tbody tr").count(), recipeNames.length);
    await page.getByRole("link", { name: "Dr. GRPO", exact: true }).click();
    await page.getByRole("heading", { name: "Dr. GRPO", exact: true }).waitFor();
    assert.ok((await page.locator("meta[name=description]").getAttribute("content"))!.length > 80);
    assert.deepEqual(await page.locator("h2").allTextContents(), [
      ...[
        "Equation",
        "Source",
        "Departures from the source",
        "Differences from GRPO",
        "One field away",
        "Learning curve",
        "In three worlds",
      ],
      ...["All fields", "In verl, TRL and OpenRLHF", "Checks", "Measured card"],
      ...["Claims and verdicts", "Shown by exact computation or tests"],
    ]);
    assert.ok((await page.locator(".equation math").count()) > 0);
    await page.getByRole("link", { name: "arXiv 2503.20783" }).waitFor();
    await page.getByRole("img", { name: /Dr. GRPO ends at .* GRPO ends at/ }).waitFor();
    await page.getByRole("link", { name: "DPPO, KL" }).first().click();
    await page.getByRole("heading", { name: "DPPO, KL", exact: true }).waitFor();
    assert.deepEqual(wrong, []);
  });

  it("lets a formula's root show what is under it: it is no picture with a ground of its own", async function () {
    const [page] = await open(this, "rules/vcpo/", {});
    const ground = await page
      .locator(".katex .sqrt svg")
      .first()
      .evaluate((root) => getComputedStyle(root).backgroundColor);
    assert.equal(ground, "rgba(0, 0, 0, 0)");
    await page.context().close();
  });

  it("says next to a rule's curve that its steps differ from the other's, where they do", () => {
    const pageOf = (name: string): string =>
      fs.readFileSync(path.join(out, "rules", name, "index.html"), "utf8");
    const { epochs } = recipe("rloo").update;
    assert.ok(
      pageOf("rloo").includes(`<code>update.epochs</code> ${epochs} (GRPO: ${recipe("grpo").update.epochs})`),
    );
    assert.match(pageOf("drGrpo"), /id="schedule" hidden/);
  });

  it("says so of the rule that the reader chooses, too", async function () {
    const [page, wrong] = await open(this, "rules/drGrpo/", {});
    const schedule = page.locator("#schedule");
    await page.getByRole("combobox", { name: "next to", exact: true }).selectOption("rloo");
    await schedule.filter({ hasText: "its steps differ from those of RLOO, too" }).waitFor();
    await page.getByRole("combobox", { name: "next to", exact: true }).selectOption("grpo");
    await schedule.waitFor({ state: "hidden" });
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("leads on from a diagnosis", async function () {
    const [page, wrong] = await open(this, "doctor/", {});
    await page.getByRole("button", { name: "a run of ours that fell" }).click();
    await page.getByRole("heading", { name: "Success fell exit code 3" }).waitFor();
    const links = page.getByRole("navigation", { name: "Next" }).getByRole("link");
    const targets = await links.evaluateAll((all) =>
      all.map((one) => new URL((one as HTMLAnchorElement).href).pathname),
    );
    const places = targets.map((to) => {
      const [, lesson] = /^\/lessons\/([^/]+)\/$/.exec(to) ?? [];
      const [, guide] = /^\/read\/(.*)\.html$/.exec(to) ?? [];
      if (lesson !== undefined) return path.join(root, "notebooks", `${lesson}.ipynb`);
      return guide === undefined ? path.join(out, to, "index.html") : path.join(root, `${guide}.md`);
    });
    assert.ok(places.length >= 2);
    for (const place of places) assert.ok(fs.existsSync(place), place);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("filters the map on a phone, and keeps the menus in the link", async function () {
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;
    const [page, wrong] = await open(this, "rules/#group=Critic&year=1066", phone);
    await page.getByRole("alert").filter({ hasText: "left out: year=1066" }).waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /^\d of \d+ rules/ })
      .waitFor();
    await page.getByRole("combobox", { name: "group", exact: true }).selectOption("any");
    await page.getByRole("combobox", { name: "field", exact: true }).selectOption("gate: sapo τ");
    await page.getByRole("link", { name: "SAPO", exact: true }).waitFor();
    assert.equal(new URL(page.url()).hash, `#choice=${encodeURIComponent("gate: sapo τ")}`);
    await page.getByRole("combobox", { name: "field", exact: true }).selectOption("any");
    await page.getByRole("searchbox").fill("verl 2026");
    await page
      .getByRole("status")
      .filter({ hasText: /^[1-9]\d* of \d+ rules$/ })
      .waitFor();
    await page.getByRole("searchbox").fill("nonsense");
    await page.getByRole("status").filter({ hasText: "no rule has all of this" }).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("breaks the equation of every rule on a phone instead of scrolling it sideways", async function () {
    const [page, wrong] = await open(this, "rules/echo/", { viewport: { width: 390, height: 844 } });
    const wide = await page
      .locator(".equation")
      .first()
      .evaluate(async (box, names) => {
        const found: string[] = [];
        for (const name of names) {
          const text = await (await fetch(`../${name}/index.html`)).text();
          const other = new DOMParser().parseFromString(text, "text/html").querySelector(".equation");
          box.innerHTML = other!.innerHTML;
          if (box.scrollWidth > box.clientWidth) found.push(name);
        }
        return found;
      }, recipeNames);
    assert.deepEqual(wide, []);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("draws a rule's curve next to another of the reader's choice", async function () {
    const [page, wrong] = await open(this, "rules/seeUpo/#beside=ppo", {});
    await page
      .getByRole("img", { name: /SeeUPO, as in the paper ends at .* PPO with GAE ends at/ })
      .waitFor();
    await page.getByRole("combobox", { name: "next to", exact: true }).selectOption("gspo");
    await page.getByRole("img", { name: /GSPO ends at/ }).waitFor();
    assert.equal(new URL(page.url()).hash, "#beside=gspo");
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("trains a changed rule on the board until it is stopped, and refuses a gate with a fault", async function () {
    const [page, wrong] = await open(this, "board/#rule=drGrpo&change=order.carry~off&code=alert(1)", {});
    await page.getByRole("alert").filter({ hasText: "left out: code=alert(1)" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Dr. GRPO does not take" }).waitFor();
    await page.getByRole("combobox", { name: "field", exact: true }).selectOption("scale");
    await page.getByRole("combobox", { name: "to", exact: true }).selectOption("group");
    assert.equal(new URL(page.url()).hash, "#rule=drGrpo&change=scale~group");
    await page.getByRole("button", { name: "Get its score" }).click();
    await page.getByText(/^ ?([3-9]|[1-5]\d) of 60 training runs/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Or write a gate").click();
    await page.getByLabel("Objective of one token").fill("({ ratio, advantage }) => -ratio * advantage");
    await page.getByRole("button", { name: "Check it" }).click();
    await page.getByText("so it is not trained").waitFor();
    assert.ok(await page.getByRole("button", { name: "Get its score" }).isDisabled());
    assert.ok(!page.url().includes("ratio"));
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("plays the training as a film where motion is welcome", async function () {
    const [page, wrong] = await open(this, "unlearn/", {});
    const circle = page.locator("circle.agent");
    const start = await circle.getAttribute("cx");
    await page.getByRole("button", { name: "Train the agent" }).click();
    await page.getByRole("button", { name: "Train again" }).waitFor();
    assert.ok(Number(await circle.getAttribute("cx")) < Number(start));
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("films a batch on a phone: scrubbed by keyboard, held by the clip", async function () {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    const [page, wrong] = await open(this, "film/", phone);
    await page
      .getByRole("heading", { name: "It learns the tool in 5 passes and has forgotten it" })
      .waitFor();
    const scrub = page.getByRole("slider", { name: "Pass", exact: true });
    await scrub.press("Home");
    await page.getByRole("heading", { name: "What it says first, after pass 0" }).waitFor();
    // Without motion, every press of the button shows another pass.
    await page.getByRole("button", { name: "Next pass" }).click();
    await page.getByRole("heading", { name: "What it says first, after pass 1", exact: true }).waitFor();
    await scrub.press("End");
    await page.getByRole("heading", { name: "What it says first, after pass 16" }).waitFor();
    await page.getByRole("button", { name: "Back to the start" }).click();
    await page.getByRole("heading", { name: "What it says first, after pass 0" }).waitFor();
    await page.getByRole("slider", { name: "clip width" }).press("ArrowRight");
    await page.getByRole("switch", { name: "clip the ratio", checked: true }).waitFor();
    assert.equal(new URL(page.url()).hash, "#clip=on&width=0.3");
    await page
      .getByText(/of 20 have forgotten it/)
      .nth(1)
      .waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("trains on a phone what a link holds, bit for bit as Node does, and shows one update from the inside", async function () {
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    const hash = "#updates=50&runs=grpo~gate:unclipped~epochs:4,grpo~epochs:4";
    const [page, wrong] = await open(this, `play/${hash}`, phone);
    await page.getByRole("button", { name: "Back to the start" }).waitFor();
    const run = { rule: "grpo", changes: { gate: "unclipped", epochs: 4 } } as const;
    const here = new Training({ key: "", world: "LookUp-v0", updates: 50, run });
    while ((await here.next()) !== undefined);
    assert.equal(await page.locator(".digest").textContent(), here.digest);

    // The field that differs is lit; another one is chosen by keyboard, and one that does not fit says why.
    await page.locator(".strip .lit").getByRole("button").press("Enter");
    await page.getByText("Does not fit: ratio.level must be").waitFor();
    await page.getByRole("radio", { name: /^clip / }).press("Space");
    await page.getByText("Every field is as in GRPO").waitFor();
    assert.equal(new URL(page.url()).hash, "#updates=50&runs=grpo~epochs:4,grpo~epochs:4");
    await page.getByRole("button", { name: "Back to the start" }).waitFor();

    await page.getByRole("button", { name: "Back to the start" }).click();
    await page.getByRole("button", { name: "Next 5 updates" }).click();
    await page.getByText("update 5 of 50").waitFor();
    await page.getByRole("slider", { name: "Update", exact: true }).press("Home");
    await page.getByRole("button", { name: "Look inside update 1" }).click();
    const pictures = page.getByRole("slider", { name: "Picture of the update" });
    await page.getByText(/^Rollout\. The agent plays/).waitFor();
    await pictures.press("End");
    await page.getByText(/The exact return goes from/).waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  /** What VS Code lets the front end of a notebook load; its scripts come from where this page does. */
  const policyOfVsCode =
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' https: http: data:; font-src 'self' https:; connect-src https:; child-src https: data:;";

  it("shows each view in a cell, from one file, under VS Code's policy and theme", async function () {
    const [page, wrong] = await open(this, "", { reducedMotion: "reduce" });
    await page.route("**/cell", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html lang="en"><meta http-equiv="Content-Security-Policy" content="${policyOfVsCode}"><title>cell</title>
<body data-vscode-theme-kind="vscode-dark"><div id="cell"></div></body></html>`,
      }),
    );
    const views = [
      ["film", "#clip=on&width=0.5", "With the clip at 0.5, it keeps the tool"],
      ["unlearn", "", /./],
      ["play", `${address}play/#updates=50&runs=grpo`, /^GRPO reaches/],
      ["board", "#rule=dapo", /^DAPO: place/],
      ["forecast", `${address}forecast/`, "Does it fall?"],
      ["rules", `${address}rules/gspo/`, "GSPO"],
    ] as const;
    const largest: Readonly<Record<string, number>> = { play: 450_000, board: 450_000, rules: 450_000 };
    for (const [name, link, heading] of views) {
      await page.goto(`${address}cell`);
      // A string, since the compiler of this test would make of import() something else.
      await page.evaluate(`(async () => {
        const { default: view } = await import(${JSON.stringify(`/${name}/widget.js`)});
        const model = { get: () => ${JSON.stringify(link)}, set() {}, save_changes() {}, on() {}, off() {} };
        window.end = view.render({ model, el: document.getElementById("cell") });
      })()`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      // A link that is the address of a page holds nothing that would be refused.
      const refusals = page.getByRole("alert").filter({ hasText: "no setting of this page" });
      assert.equal(await refusals.count(), 0, name);
      const scheme = await page.evaluate(
        () => document.querySelector<HTMLElement>("#cell > div")!.style.colorScheme,
      );
      assert.equal(scheme, "dark");
      await page.evaluate("window.end()");
      assert.equal(await page.locator("#cell > *").count(), 0);
      const bytes = zlib.gzipSync(fs.readFileSync(path.join(out, name, "widget.js"))).length;
      assert.ok(bytes < (largest[name] ?? 100_000), `${name}: ${String(bytes)} bytes`);
    }
    assert.deepEqual(wrong, []);
    await page.context().close();
  });

  it("leaves out of a playground's link whatever is no setting", async function () {
    const [page, wrong] = await open(this, "play/#runs=grpo~gate:evil&updates=50&world=Mars-v0", {});
    await page
      .getByRole("alert")
      .filter({ hasText: "left out: runs=grpo~gate:evil, world=Mars-v0" })
      .waitFor();
    await page.getByRole("heading", { name: /^Which rule|^GRPO/ }).waitFor();
    assert.deepEqual(wrong, []);
    await page.context().close();
  });
});
