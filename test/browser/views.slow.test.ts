import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Locator } from "playwright-core";
import { writeViews } from "turnwise-site/builder/views.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";
import { viewNames as names, type ViewName } from "./viewNames.js";

describe("the pages' views in cells of JupyterLab", function () {
  this.timeout(240_000);
  let lab: LabPage;
  const open = async (laboratory: Laboratory): Promise<void> => {
    const out = path.join(temporaryFolder(), "site");
    await writeViews(root, out);
    const cellOf = (name: string): string =>
      `const ${name} = widgets.anyWidget({ esm: new URL("${pathToFileURL(path.join(out, name, "widget.js")).href}"), state: { link: "" } });
${name}`;
    const cells = ['import { widgets } from "turnwise-kernel"', ...names.map(cellOf)];
    lab = await LabPage.open(laboratory, laboratory.write("views.ipynb", cells));
    for (const text of ["import { widgets", ...names.map((name) => `const ${name}`)])
      await lab.run(lab.codeCell(text));
    await lab.idle(60_000);
    assert.deepEqual(await lab.errors(), []);
  };
  shared(open, async () => {
    await lab?.close();
    removeTemporaryFolders();
  });

  const viewOf = (name: ViewName): Locator => lab.codeCell(`const ${name}`).locator(".view");
  const linkOf = async (name: ViewName, link: string): Promise<void> => {
    const cell = await lab.runNew(`${name}.link`);
    await cell.getByText(link).waitFor();
  };

  it("the film changes its settings in the kernel, and the kernel those of the film", async () => {
    const film = viewOf("film");
    await film
      .getByRole("heading", { name: "It learns the tool in 5 passes and has forgotten it by pass 12" })
      .waitFor();
    await film.getByLabel("clip the ratio").check();
    await film.getByRole("heading", { name: "With the clip at 0.2, it keeps the tool" }).waitFor();
    await linkOf("film", "'#clip=on'");
    // As it is copied from the page's address bar.
    await lab.runNew('film.link = "https://example.org/film/#clip=on&width=0.5"');
    await film.getByRole("heading", { name: "With the clip at 0.5, it keeps the tool" }).waitFor();
  });

  it("a key that moves a slider is no shortcut of the notebook", async () => {
    const cells = await lab.cells.count();
    await viewOf("film").getByLabel("learning rate").focus();
    for (const key of ["b", "a", "ArrowRight"]) await lab.page.keyboard.press(key);
    await linkOf("film", "rate=6");
    // The cell that asked.
    assert.equal(await lab.cells.count(), cells + 1);
  });

  it("the playground trains in a worker that its module carries", async () => {
    const play = viewOf("play");
    await play
      .getByRole("heading", { name: "GRPO reaches 1.00 with gate clip, .75 with gate unclipped" })
      .waitFor();
    await play.getByLabel("group size").press("ArrowLeft");
    await linkOf("play", "runs=");
  });

  it("the bandit trains in its cell, and keeps its settings in the kernel", async () => {
    const unlearn = viewOf("unlearn");
    await unlearn.getByRole("button", { name: "Train the agent" }).click();
    await unlearn.getByRole("heading", { name: "GRPO learns to take the salary" }).waitFor();
    await unlearn.getByLabel("divide by the group").uncheck();
    await linkOf("unlearn", "'#divide=off'");
    // A notebook has no other pages to go on with.
    assert.equal(await unlearn.getByRole("navigation").count(), 0);
  });

  it("a rule's page follows its menu, its links and the kernel, and compares it with another rule", async () => {
    const rules = viewOf("rules");
    await rules.getByRole("heading", { level: 1, name: "GRPO", exact: true }).waitFor();
    await rules.getByRole("img", { name: /GRPO ends at .* PPO with GAE ends at/ }).waitFor();
    await rules.getByRole("combobox", { name: "rule", exact: true }).selectOption("GSPO");
    await rules.getByRole("heading", { level: 1, name: "GSPO", exact: true }).waitFor();
    await linkOf("rules", "'#rule=gspo'");
    await rules.getByRole("link", { name: "GMPO" }).click();
    await rules.getByRole("heading", { level: 1, name: "GMPO", exact: true }).waitFor();
    await rules.getByRole("combobox", { name: "next to", exact: true }).selectOption("RLOO");
    await rules.getByRole("img", { name: /GMPO ends at .* RLOO ends at/ }).waitFor();
    await linkOf("rules", "'#rule=gmpo&beside=rloo'");
    // As it is copied from the address bar of a rule's page.
    await lab.runNew('rules.link = "https://example.org/rules/seeUpo/#beside=ppo"');
    await rules
      .getByRole("img", { name: /SeeUPO, as in the paper ends at .* PPO with GAE ends at/ })
      .waitFor();
    assert.ok((await rules.locator("math").count()) > 0);
  });

  it("the board trains a change in a worker that its module carries, and the forecaster has its runs", async () => {
    const board = viewOf("board");
    await board.getByRole("combobox", { name: "field", exact: true }).selectOption("scale");
    await linkOf("board", "'#change=scale~none'");
    await board.getByRole("button", { name: "Get its score" }).click();
    await board.getByText(/^ ?([1-9]|[1-5]\d) of 60 training runs/).waitFor();
    await board.getByRole("button", { name: "Stop" }).click();
    const forecast = viewOf("forecast");
    await forecast.getByRole("button", { name: "no idea" }).click();
    await forecast.getByText("You left it open.").waitFor();
  });

  it("has the notebook's theme, and gives axe-core nothing to find", async () => {
    await lab.page.evaluate(axe.source);
    for (const theme of ["JupyterLab Light", "JupyterLab Dark"] as const) {
      await lab.theme(theme);
      for (const name of names) {
        const view = viewOf(name);
        await view.scrollIntoViewIfNeeded();
        const ground = await view.evaluate(
          (el) => getComputedStyle((el.getRootNode() as ShadowRoot).host).backgroundColor,
        );
        assert.equal(ground, theme.endsWith("Dark") ? "rgb(22, 22, 22)" : "rgb(255, 255, 255)");
        const { violations } = await view.evaluate((el) =>
          (window as unknown as { axe: typeof axe }).axe.run((el.getRootNode() as ShadowRoot).host),
        );
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
        assert.deepEqual(found, [], `${name}, ${theme}`);
        await lab.page.screenshot({
          path: path.join(root, "build", "screenshots", `${name}-in-${theme.replace(/ /g, "-")}.png`),
        });
      }
    }
  });
});
