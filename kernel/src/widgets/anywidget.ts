import { widgetClass, type WidgetOf } from "./widget.js";

const version = "~0.9.*";

/**
 * A widget whose front end is an ES module in a string, by the convention of anywidget (its lab extension must be
 * installed): the module's default export has `render({ model, el })`.
 */
export function anyWidget<S extends object>(o: { esm: string; css?: string; state?: S }): WidgetOf<S> {
  const defaults = { _esm: o.esm, _css: o.css ?? "", ...o.state };
  const Model = widgetClass<S>("AnyWidget", {
    model: ["anywidget", version, "AnyModel"],
    view: ["anywidget", version, "AnyView"],
    defaults,
    references: { layout: "Layout" },
    bytes: [],
  });
  return new Model();
}
