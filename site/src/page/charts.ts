import { web, type WebElement } from "./web.js";

// JupyterLab draws all charts of a notebook when it opens it, most of them far below what is seen, and a PNG of each. A first result
// would wait for that, so a chart is drawn when it comes near.

/** Output of a cell, by media types. */
interface Model {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A renderer of JupyterLab, as far as this room uses it. */
interface Renderer {
  readonly node: WebElement & { readonly style: Record<string, string> };
  readonly isDisposed: boolean;
  renderModel(model: Model): Promise<void>;
}

export interface RendererFactory {
  createRenderer(options: unknown): Renderer;
}

/** Distance from the visible part within which a chart is drawn. */
const near = "600px";

/** A factory whose renderers draw when they come near. */
export const whenNear = (factory: RendererFactory): RendererFactory => ({
  ...factory,
  createRenderer: (options) => later(factory.createRenderer(options)),
});

function later(renderer: Renderer): Renderer {
  const draw = renderer.renderModel.bind(renderer);
  const { style } = renderer.node;
  let isDrawn = false;
  let waiting: Model | undefined;
  const whenSeen = new web.IntersectionObserver(
    (seen) => {
      if (!waiting || !seen.some(({ isIntersecting }) => isIntersecting)) return;
      whenSeen.disconnect();
      if (renderer.isDisposed) return;
      isDrawn = true;
      void draw(waiting).finally(() => (style.minHeight = ""));
    },
    // A notebook scrolls inside of the page; a browser that knows no margin of that draws what is seen.
    { rootMargin: near, scrollMargin: near },
  );
  renderer.renderModel = (model) => {
    // One that has been drawn follows at once.
    if (isDrawn) return draw(model);
    style.minHeight = heightOf(model);
    if (!waiting) whenSeen.observe(renderer.node);
    waiting = model;
    return Promise.resolve();
  };
  return renderer;
}

/** The height of the picture that lies beside a chart, so that nothing moves when the chart comes. */
function heightOf({ data }: Model): string {
  const height = /<svg\b[^>]*?\sheight="([\d.]+)"/.exec(String(data["image/svg+xml"] ?? ""))?.[1];
  return height === undefined ? "" : `${height}px`;
}
