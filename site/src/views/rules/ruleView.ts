import type { View } from "../shared/contract";
import { curvePicture } from "./curve";
import { scheduleHtml } from "./schedule";
import type { Stored, StoredRule } from "./stored";

/** Draws a rule's learning curve next to that of another rule, which a menu chooses. */
export const ruleView = (own: string, { updates, rules }: Stored): View<{ beside: string }> => ({
  render({ model, el }) {
    const pick = el.querySelector<HTMLElement>("#pick")!;
    const of = (name: string): StoredRule => rules.find((rule) => rule.name === name)!;
    const label = document.createElement("label");
    const menu = document.createElement("select");
    menu.append(
      ...rules.filter(({ name }) => name !== own).map(({ name, title }) => new Option(title, name)),
    );
    const words = document.createElement("span");
    words.textContent = "next to";
    label.append(words, menu);
    pick.replaceChildren(label);
    pick.hidden = false;
    const show = (): void => {
      const other = of(model.get("beside"));
      menu.value = other.name;
      const curves = [of(own), other].map(({ title, runs }) => ({ name: title, runs }));
      // Text of SVG from numbers and titles of this site alone.
      el.querySelector("#curve .picture")!.innerHTML = curvePicture(updates, curves);
      el.querySelector("#key")!.textContent = other.title;
      const schedule = el.querySelector<HTMLElement>("#schedule")!;
      // Escaped, and of this site's own data.
      schedule.innerHTML = scheduleHtml(of(own).schedule, other.schedule, other.title);
      schedule.hidden = schedule.innerHTML === "";
    };
    const choose = (): void => {
      model.set("beside", menu.value);
      model.save_changes();
    };
    menu.addEventListener("change", choose);
    model.on("change", show);
    show();
    return () => {
      model.off("change", show);
      menu.removeEventListener("change", choose);
      pick.hidden = true;
    };
  },
});
