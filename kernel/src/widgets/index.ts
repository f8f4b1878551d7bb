export * from "./generated.js";
export { AnyWidget, anyWidget, type AnyWidgetOptions, type WidgetCommand } from "./anywidget.js";
export { onComm, openComm } from "./comms.js";
export { pollEvents } from "./host.js";
export { capture } from "./capture.js";
export { interact, link, type Control } from "./interact.js";
export { redraw, type ControlValues } from "./redraw.js";
export {
  dropdown,
  radioButtons,
  select,
  selectionSlider,
  toggleButtons,
  type Options,
  type Selection,
} from "./selection.js";
export { Widget, type EventHandler, type AnyWidgetModel, type WidgetOf } from "./widget.js";
export { button, log, type ButtonKnob, type Knob, type KnobValues, type LogRange } from "./knob.js";
export { knobs, type Knobs, type KnobsOptions } from "./knobs.js";
