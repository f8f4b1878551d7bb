import { displaySymbol, toBundle } from "../display/bundle.js";
import { gapOfHtml, isLive, LiveDisplays, liveSymbol } from "../display/live.js";
import type { MimeBundle } from "../protocol/message.js";
import type { Control } from "./control.js";
import * as models from "./generated.js";
import type { AnyWidgetModel, Widget } from "./widget.js";

/** Of the column of knobs; what is beside it takes the rest of the page. */
const width = "302px";

/**
 * Knobs in one narrow column, objects that display themselves to the right of it, and buttons above both: all fits on one
 * screen of a laptop. Without room for both, as on a phone, the objects come first, and the knobs below them.
 */
export function panelOf(
  controls: readonly Control[],
  buttons: readonly AnyWidgetModel[],
  beside: readonly object[],
): models.VBox {
  const layout = (state: Partial<models.LayoutState>): never => new models.Layout(state) as never;
  for (const { widget } of controls) {
    if (widget) narrow(widget as never);
  }
  for (const button of buttons) {
    (button as never as { layout: unknown }).layout = layout({
      width: "auto",
      height: "28px",
      min_width: "5.5em",
    });
  }
  const row = new models.HBox({
    children: [...buttons],
    layout: layout({ flex_flow: "row wrap", height: "auto" }),
  });
  const knobs = new models.VBox({
    children: controls.flatMap(({ widget }) => (widget ? [widget] : [])),
    layout: layout({ width, flex: `0 0 ${width}`, padding: "0 0 4px 0", margin: "0 12px 0 0" }),
  });
  const views = new models.VBox({
    children: liveHtml(beside, () => layout({ width: "auto", margin: "0" })),
    layout: layout({ flex: "1 1 300px", min_width: "0", margin: "0" }),
  });
  const body = new models.HBox({
    children: [knobs as never, views as never],
    layout: layout({ flex_flow: "row wrap-reverse" }),
  });
  const whole = new models.VBox({ children: [row as never, body as never] });
  whole.set({ _dom_classes: [liveClass(whole.modelId)] });
  return whole;
}

/** A control that takes the width and a low row of its column. */
function narrow(
  widget: Widget<{ layout: unknown; style: unknown; readout_format: string }> & {
    style: { description_width: string };
  },
): void {
  widget.set({ layout: new models.Layout({ width: "auto", height: "23px", margin: "1px 2px" }) });
  widget.style.description_width = "7.6em";
}

/** Widgets that show what objects display as HTML, and follow those that change. */
function liveHtml(shown: readonly object[], layout: () => never): AnyWidgetModel[] {
  const html = shown.map(() => new models.HTML({ layout: layout() }));
  const write = (id: string, bundle: MimeBundle): void => {
    const text = bundle["text/html"];
    html[Number(id)]!.value = typeof text === "string" ? text : "";
  };
  const displays = new LiveDisplays(write, undefined, undefined, gapOfHtml);
  shown.forEach((value, i) => {
    const bundle = toBundle(value);
    if (!(bundle instanceof Promise)) write(String(i), bundle);
    displays.watch(String(i), value, "");
  });
  return html as never;
}

const liveClass = (id: string): string => `turnwise-live-${id}`;
const storedClass = (id: string): string => `turnwise-stored-${id}`;

/**
 * Replacement of knobs when their kernel is gone: hidden while they live, and in front of the text that a page shows
 * for an unknown widget.
 *
 * A page marks the widgets of a kernel that has ended as disconnected. They look alive and are not, so they are hidden.
 */
export function storedView(stored: object, id: string): object {
  const child = ".jp-OutputArea-child";
  const live = `.${liveClass(id)}:not(.jupyter-widgets-disconnected)`;
  const style =
    `.jp-OutputArea:has(> ${child} ${live}) > ${child}:has(.${storedClass(id)}){display:none}` +
    `${child}:has(+ ${child} .${storedClass(id)}):not(:has(${live})){display:none}`;
  return {
    [displaySymbol]: () => {
      const bundle = toBundle(stored) as MimeBundle;
      return {
        ...bundle,
        "text/html": `<div class="${storedClass(id)}"><style>${style}</style>${String(bundle["text/html"] ?? "")}</div>`,
      };
    },
    ...(isLive(stored) && {
      [liveSymbol]: (notify: () => void) => stored[liveSymbol](() => notify()),
    }),
  };
}
