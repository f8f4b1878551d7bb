// JupyterLab loads this file as it stands: it is source and build in one. It has the shape of a module-federation
// container (`init` and `get`), and takes from JupyterLab nothing but Lumino's Widget class and, where there are widgets, their base.
"use strict";
(() => {
  const name = "turnwise-stream-chart";
  const mimeType = "application/vnd.turnwise.stream+json";
  const margin = { left: 62, right: 14, top: 30, bottom: 44 };
  const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2], [1, 2]];
  const folder = new URL(".", document.currentScript.src);
  let shareScope;

  /** The module that JupyterLab itself uses under a name. */
  async function shared(module) {
    const versions = Object.values(shareScope[module] ?? {});
    if (versions.length === 0) throw new Error(`${name}: JupyterLab shares no ${module}`);
    return (await versions[0].get())();
  }

  function niceStep(span, count) {
    const raw = span / count;
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((m) => m * power).find((step) => step >= raw) ?? raw;
  }

  function range(values) {
    let low = Infinity;
    let high = -Infinity;
    for (const list of values) {
      for (const value of list) {
        if (value === null) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (low > high) return [0, 1];
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  }

  const label = (value) => String(Number(value.toPrecision(6)));

  /** Lines on a canvas; `data` is what the kernel sends (see streamChart in turnwise-kernel). */
  class Chart {
    constructor(host) {
      this.host = host;
      this.canvas = document.createElement("canvas");
      this.canvas.setAttribute("role", "img");
      this.fallback = document.createElement("div");
      host.append(this.canvas, this.fallback);
      this.series = new Map();
      this.key = undefined;
    }

    /** Takes a message over; false when points before it are missing here. */
    take(data) {
      const whole = data.series.every(({ from }) => from === 0);
      if (data.key !== this.key && !whole) return false;
      if (whole) this.series.clear();
      for (const { name: title, from, x, y } of data.series) {
        const own = this.series.get(title) ?? { x: [], y: [] };
        this.series.set(title, own);
        if (from > own.x.length) return false;
        own.x.length = from;
        own.y.length = from;
        for (let i = 0; i < x.length; i++) {
          own.x.push(x[i]);
          own.y.push(y[i]);
        }
      }
      this.key = data.key;
      this.data = data;
      return true;
    }

    /** Shows the picture that came along, for a view that was opened in the middle of a stream. */
    showPicture(svg) {
      this.key = undefined;
      this.canvas.style.display = "none";
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg ?? "")}`;
      this.fallback.replaceChildren(image);
    }

    draw() {
      this.canvas.style.display = "";
      this.fallback.replaceChildren();
      const { title, xTitle, yTitle, colors, width, height } = this.data;
      const lists = [...this.series.values()];
      const count = lists.reduce((sum, { x }) => sum + x.length, 0);
      this.canvas.dataset.points = String(count);
      this.canvas.setAttribute(
        "aria-label",
        `${title}: ${yTitle} over ${xTitle}, ${[...this.series.keys()].join(", ")}`,
      );
      const ratio = window.devicePixelRatio || 1;
      if (this.canvas.width !== width * ratio || this.canvas.height !== height * ratio) {
        this.canvas.width = width * ratio;
        this.canvas.height = height * ratio;
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${height}px`;
      }
      const style = getComputedStyle(this.host);
      const context = this.canvas.getContext("2d");
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      context.fillStyle = context.strokeStyle = style.color;
      context.font = `11px ${style.fontFamily}`;
      const [xLow, xHigh] = range(lists.map(({ x }) => x));
      const [yLow, yHigh] = range(lists.map(({ y }) => y));
      const right = width - margin.right;
      const bottom = height - margin.bottom;
      const toX = (x) => margin.left + ((x - xLow) / (xHigh - xLow)) * (right - margin.left);
      const toY = (y) => bottom - ((y - yLow) / (yHigh - yLow)) * (bottom - margin.top);
      this.axes(context, { xLow, xHigh, yLow, yHigh, right, bottom, toX, toY });
      context.textAlign = "center";
      context.fillText(xTitle, (margin.left + right) / 2, height - 8);
      context.save();
      context.translate(13, (margin.top + bottom) / 2);
      context.rotate(-Math.PI / 2);
      context.fillText(yTitle, 0, 0);
      context.restore();
      this.lines(context, colors, toX, toY);
      this.legend(context, colors, title);
    }

    axes(context, { xLow, xHigh, yLow, yHigh, right, bottom, toX, toY }) {
      context.lineWidth = 1;
      context.globalAlpha = 0.25;
      context.beginPath();
      const ticks = [];
      for (const [low, high, horizontal] of [
        [xLow, xHigh, true],
        [yLow, yHigh, false],
      ]) {
        const step = niceStep(high - low, horizontal ? 8 : 5);
        for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; k++) {
          const at = horizontal ? toX(k * step) : toY(k * step);
          context.moveTo(horizontal ? at : margin.left, horizontal ? bottom : at);
          context.lineTo(horizontal ? at : right, horizontal ? margin.top : at);
          ticks.push([horizontal, at, label(k * step)]);
        }
      }
      context.stroke();
      context.globalAlpha = 1;
      for (const [horizontal, at, text] of ticks) {
        context.textAlign = horizontal ? "center" : "right";
        context.fillText(text, horizontal ? at : margin.left - 6, horizontal ? bottom + 15 : at + 4);
      }
      context.strokeRect(margin.left, margin.top, right - margin.left, bottom - margin.top);
    }

    lines(context, colors, toX, toY) {
      context.lineWidth = 1.8;
      context.lineJoin = "round";
      [...this.series.values()].forEach(({ x, y }, i) => {
        context.strokeStyle = colors[i % colors.length];
        context.setLineDash(dashes[i % dashes.length]);
        context.beginPath();
        let broken = true;
        for (let j = 0; j < x.length; j++) {
          if (y[j] === null) broken = true;
          else if (broken) {
            context.moveTo(toX(x[j]), toY(y[j]));
            broken = false;
          } else context.lineTo(toX(x[j]), toY(y[j]));
        }
        context.stroke();
      });
      context.setLineDash([]);
    }

    legend(context, colors, title) {
      context.textAlign = "left";
      let at = margin.left;
      if (title) {
        context.font = `bold ${context.font}`;
        context.fillText(title, at, 17);
        at += context.measureText(title).width + 20;
        context.font = context.font.replace("bold ", "");
      }
      [...this.series.keys()].forEach((text, i) => {
        context.strokeStyle = colors[i % colors.length];
        context.setLineDash(dashes[i % dashes.length]);
        context.beginPath();
        context.moveTo(at, 13);
        context.lineTo(at + 24, 13);
        context.stroke();
        context.setLineDash([]);
        context.fillText(text, at + 29, 17);
        at += context.measureText(text).width + 48;
      });
    }
  }

  async function mimeExtension() {
    const { Widget } = await shared("@lumino/widgets");

    /** One output; JupyterLab hands each update_display_data of it to the same renderer. */
    class StreamRenderer extends Widget {
      constructor() {
        super();
        this.addClass("jp-RenderedTurnwiseStream");
        this.chart = new Chart(this.node);
        this.frame = 0;
        // A canvas keeps the colors it was drawn in, so a new theme of the page draws it again.
        this.themes = new MutationObserver(() => this.chart.key && this.drawSoon());
        this.themes.observe(document.body, { attributeFilter: ["data-jp-theme-name"] });
      }

      renderModel(model) {
        if (!this.chart.take(model.data[mimeType])) {
          cancelAnimationFrame(this.frame);
          this.frame = 0;
          this.chart.showPicture(model.data["image/svg+xml"]);
        } else this.drawSoon();
        return Promise.resolve();
      }

      drawSoon() {
        if (this.frame !== 0) return;
        this.frame = requestAnimationFrame(() => {
          this.frame = 0;
          this.chart.draw();
        });
      }

      dispose() {
        this.themes.disconnect();
        cancelAnimationFrame(this.frame);
        super.dispose();
      }
    }

    const extension = {
      id: `${name}:factory`,
      rendererFactory: { safe: true, mimeTypes: [mimeType], createRenderer: () => new StreamRenderer() },
      rank: 0,
      dataType: "json",
    };
    return { __esModule: true, default: extension };
  }

  /** Runs another script of this folder; they run in the order in which they are asked for. */
  const load = (file) =>
    new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(file, folder).href;
      script.async = false;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${name}: ${script.src} cannot be loaded`));
      document.head.append(script);
    });

  /** The module of a widget's front end: its text, or its address. */
  async function widgetModule(source) {
    const isAddress = /^https?:\/\//.test(source);
    const url = isAddress ? source : URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    try {
      const module = await import(/* webpackIgnore: true */ url);
      const widget = typeof module.default === "function" ? await module.default() : module.default;
      // Modules of the convention's first year export the function itself.
      return widget ?? { render: module.render };
    } finally {
      if (!isAddress) URL.revokeObjectURL(url);
    }
  }

  /** Puts a style sheet into the page, in place of an earlier one of the same widgets. */
  function addStyle(id, css) {
    const key = `anywidget-${id}`;
    document.getElementById(key)?.remove();
    if (!css) return;
    const isAddress = /^https?:\/\//.test(css);
    const style = document.createElement(isAddress ? "link" : "style");
    if (isAddress) Object.assign(style, { rel: "stylesheet", href: css });
    else style.textContent = css;
    style.id = key;
    document.head.append(style);
  }

  /** The model as a widget's module sees it; what it listens to ends with the signal. */
  function modelFor(model, signal) {
    const context = {};
    signal.addEventListener("abort", () => model.off(null, null, context));
    return {
      get: (key) => model.get(key),
      set: (key, value) => model.set(key, value),
      save_changes: () => model.save_changes(),
      send: (content, callbacks, buffers) => model.send(content, callbacks, buffers),
      on: (event, callback) => model.on(event, callback, context),
      off: (event, callback) => model.off(event, callback, context),
      widget_manager: model.widget_manager,
    };
  }

  const commandMs = 3_000;
  const importMs = 3_000;

  const pause = (ms) => new Promise((resolve) => window.setTimeout(resolve, ms));

  /** Whether a value holds bytes somewhere. */
  function isBinary(value) {
    if (typeof value !== "object" || value === null) return false;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true;
    // Other objects, such as models of widgets, may refer to themselves.
    const isData = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    return isData && Object.values(value).some(isBinary);
  }

  /** Calls a command of the widget in the kernel. */
  function invoke(model, command, msg, o = {}) {
    const id = crypto.randomUUID();
    const signal = o.signal ?? AbortSignal.timeout(commandMs);
    return new Promise((resolve, reject) => {
      const end = () => model.off("msg:custom", hear);
      const hear = (content, buffers) => {
        if (content?.kind !== "anywidget-command-response" || content.id !== id) return;
        end();
        resolve([content.response, buffers]);
      };
      signal.addEventListener("abort", () => {
        end();
        reject(signal.reason);
      });
      model.on("msg:custom", hear);
      model.send({ id, kind: "anywidget-command", name: command, msg }, undefined, o.buffers ?? []);
    });
  }

  /** Model and view of anywidget's convention, for a JupyterLab without the extension of anywidget. */
  function anyWidget(base) {
    const experimentalOf = (model) => ({ invoke: (command, msg, o) => invoke(model, command, msg, o) });

    class AnyModel extends base.DOMWidgetModel {
      initialize(...given) {
        super.initialize(...given);
        this.style();
        this.load();
        this.on("change:_css", () => this.style());
        this.on("change:_esm", () => this.load());
        this.once("destroy", () => this.ending?.abort());
      }

      style() {
        addStyle(this.get("_anywidget_id") ?? this.model_id, this.get("_css"));
      }

      /** Loads the module and prepares it for this model; an edited one takes the place of the first. */
      load() {
        this.ending?.abort();
        const ending = (this.ending = new AbortController());
        const imported = widgetModule(this.get("_esm"));
        // Messages wait for the module, but not for its `initialize`, which may itself wait for one; nor for a slow address.
        this.imported = Promise.race([imported.catch(() => undefined), pause(importMs)]);
        this.ready = (async () => {
          const widget = await imported;
          const { signal } = ending;
          const end = await widget.initialize?.({
            model: modelFor(this, signal),
            signal,
            experimental: experimentalOf(this),
          });
          if (typeof end === "function") signal.addEventListener("abort", end);
          return widget;
        })();
        this.ready.catch(() => undefined);
        this.trigger("turnwise:loaded");
      }

      async _handle_comm_msg(message) {
        await this.imported;
        return super._handle_comm_msg(message);
      }

      /** By itself, a model takes its state through JSON, which binary values do not survive. */
      serialize(state) {
        const entries = Object.entries(state);
        const plain = Object.fromEntries(entries.filter(([, value]) => !isBinary(value)));
        const binary = Object.fromEntries(entries.filter(([, value]) => isBinary(value)));
        return { ...super.serialize(plain), ...structuredClone(binary) };
      }
    }

    class AnyView extends base.DOMWidgetView {
      render() {
        this.listenTo(this.model, "turnwise:loaded", () => void this.show());
        // Not awaited: until a view is rendered, JupyterLab holds all messages of the kernel, also those that a module waits for.
        void this.show();
      }

      async show() {
        this.ending?.abort();
        const { signal } = (this.ending = new AbortController());
        this.el.replaceChildren();
        try {
          const widget = await this.model.ready;
          const end = await widget.render?.({
            model: modelFor(this.model, signal),
            el: this.el,
            signal,
            experimental: experimentalOf(this.model),
          });
          if (typeof end !== "function") return;
          if (signal.aborted) end();
          else signal.addEventListener("abort", end);
        } catch (error) {
          const text = document.createElement("pre");
          text.textContent = `Cannot show the widget: ${error}`;
          this.el.replaceChildren(text);
          console.error(error);
        }
      }

      remove() {
        this.ending?.abort();
        return super.remove();
      }
    }

    return { AnyModel, AnyView };
  }

  async function anyWidgets() {
    // Only a JupyterLab with the widgets of ipywidgets shares their base.
    const base = shareScope["@jupyter-widgets/base"] && (await shared("@jupyter-widgets/base"));
    return {
      id: `${name}:anywidget`,
      autoStart: true,
      optional: base ? [base.IJupyterWidgetRegistry] : [],
      activate(app, registry) {
        // The lowest version: where the extension of anywidget is installed, that one is taken.
        registry?.registerWidget({ name: "anywidget", version: "0.0.1", exports: anyWidget(base) });
      },
    };
  }

  async function extension() {
    const [anywidget] = await Promise.all([anyWidgets(), ...["predictions.js", "fold.js"].map(load)]);
    return { __esModule: true, default: [window._turnwiseFold, anywidget] };
  }

  const modules = { "./mimeExtension": mimeExtension, "./extension": extension };

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[name] = {
    init(scope) {
      shareScope = scope;
    },
    async get(module) {
      if (!Object.hasOwn(modules, module)) throw new Error(`${name}: there is no module ${module}`);
      const made = await modules[module]();
      return () => made;
    },
  };
})();
