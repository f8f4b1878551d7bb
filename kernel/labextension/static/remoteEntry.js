// JupyterLab loads this file as it stands: it is source and build in one. It has the shape of a module-federation
// container (`init` and `get`), and takes from JupyterLab nothing but Lumino's Widget class.
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

  async function extension() {
    await Promise.all(["predictions.js", "fold.js"].map(load));
    return { __esModule: true, default: window._turnwiseFold };
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
