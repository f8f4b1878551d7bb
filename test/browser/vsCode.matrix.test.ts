/// <reference lib="dom" />
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { writeViews } from "turnwise-site/builder/views.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";
import { patient } from "../support/patient.js";
import { shared, type Laboratory } from "../support/sharedLab.js";
import { vsCodeScripts } from "../support/vsCodeWidgets.js";
import { viewNames, type ViewName } from "./viewNames.js";

/**
 * A page that shows widgets as VS Code does: its widget manager, whose modules require.js loads, above a kernel of Jupyter Server. Of VS
 * Code itself it has no more than the mark of its theme.
 */
const front = `<!doctype html><html lang="en"><title>output</title>
<body data-vscode-theme-kind="vscode-dark"><script src="require.js"></script>
<script type="module">
import { activate } from "./ipywidgets.js";
import { KernelManager, ServerConnection } from "./services.js";
activate();
window.vscIPyWidgets8.load();
const settings = { baseUrl: location.origin, wsUrl: location.origin.replace("http", "ws"), token: new URLSearchParams(location.search).get("token"), appendToken: true };
const kernel = await new KernelManager({ serverSettings: ServerConnection.makeSettings(settings) }).startNew({ name: "turnwise" });
const registered = new Set();
const failed = [];
const manager = new window.vscIPyWidgets.WidgetManager(kernel, document.body, {
  widgetsRegisteredInRequireJs: registered,
  errorHandler: (name, module, version, error) => failed.push(module + ": " + error),
  successHandler() {},
  async loadWidgetScript(module) {
    // VS Code asks a network for it.
    window.requirejs.config({ paths: { [module]: location.origin + "/vscode/" + module } });
    registered.add(module);
  },
}, () => {});
/** Runs a cell; shows the widget that is its value, or gives the value as text. */
window.run = async (code, id) => {
  const future = kernel.requestExecute({ code });
  let shown = "";
  let view;
  future.onIOPub = ({ header, content }) => {
    if (header.msg_type === "error") shown += content.ename + ": " + content.evalue;
    if (header.msg_type === "stream") shown += content.text;
    if (header.msg_type !== "execute_result" && header.msg_type !== "display_data") return;
    view ??= content.data["application/vnd.jupyter.widget-view+json"];
    shown += content.data["text/plain"] ?? "";
  };
  await future.done;
  if (view === undefined) return shown;
  const el = document.createElement("div");
  el.id = id;
  document.body.append(el);
  const model = await manager.get_model(view.model_id);
  await manager.display_view(view, await manager.create_view(model, { el }), { node: el });
  return failed.join("\\n");
};
window.end = () => kernel.shutdown();
window.isReady = true;
</script></body></html>`;

describe("the pages' views in VS Code's widget manager", function () {
  this.timeout(patient(240_000));
  let page: Page;
  const wrong: string[] = [];
  const run = (code: string, id = ""): Promise<string> =>
    page.evaluate(
      ([source, place]) =>
        (window as unknown as { run(code: string, id: string): Promise<string> }).run(source, place),
      [code, id] as const,
    );

  before(function () {
    if (vsCodeScripts() === undefined)
      skip(this, "needs VS Code's widget manager from npm", "npm run test:matrix -- front-ends");
  });
  const open = async (laboratory: Laboratory): Promise<void> => {
    const scripts = vsCodeScripts()!;
    const out = path.join(temporaryFolder(), "site");
    await writeViews(root, out);
    page = await laboratory.newPage();
    page.on("pageerror", ({ message }) => wrong.push(message));
    // The page does not come from this machine's server, whose kernel it asks for.
    await page.context().grantPermissions(["local-network-access"]);
    const { origin, searchParams } = new URL(laboratory.lab.url);
    await page.route("**/vscode/**", (route) => {
      const name = path.posix.basename(new URL(route.request().url()).pathname);
      const text = scripts[name];
      return text === undefined
        ? route.fulfill({ contentType: "text/html", body: front })
        : route.fulfill({ contentType: "text/javascript", body: text });
    });
    await page.goto(`${origin}/vscode/?token=${searchParams.get("token") ?? ""}`);
    await page.waitForFunction("window.isReady");
    await run('import { widgets } from "turnwise-kernel"');
    for (const name of viewNames) {
      const esm = pathToFileURL(path.join(out, name, "widget.js")).href;
      const code = `const ${name} = widgets.anyWidget({ esm: new URL("${esm}"), state: { link: "" } });\n${name}`;
      assert.equal(await run(code, name), "", name);
    }
  };
  shared(open, async () => {
    await page?.evaluate("window.end()");
    await page?.close();
    removeTemporaryFolders();
  });

  const viewOf = (name: ViewName): Locator => page.locator(`#${name} .view`);

  it("draws every view, in the theme of VS Code", async () => {
    for (const name of viewNames) {
      await viewOf(name).getByRole("heading", { level: 1 }).waitFor();
      const ground = await viewOf(name).evaluate(
        (el) => getComputedStyle((el.getRootNode() as ShadowRoot).host).backgroundColor,
      );
      assert.equal(ground, "rgb(22, 22, 22)", name);
    }
    assert.deepEqual(wrong, []);
  });

  it("the film changes its settings in the kernel, and the kernel those of the film", async () => {
    const film = viewOf("film");
    await film.getByLabel("clip the ratio").check();
    await film.getByRole("heading", { name: "With the clip at 0.2, it keeps the tool" }).waitFor();
    assert.equal(await run("film.link"), "'#clip=on'");
    await run('film.link = "#clip=on&width=0.5"');
    await film.getByRole("heading", { name: "With the clip at 0.5, it keeps the tool" }).waitFor();
  });

  it("the playground trains in a worker that its module carries", async () => {
    await viewOf("play")
      .getByRole("heading", { name: "GRPO reaches 1.00 with gate clip, .75 with gate unclipped" })
      .waitFor();
    assert.deepEqual(wrong, []);
  });
});
