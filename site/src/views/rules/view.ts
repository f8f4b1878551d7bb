import type { View } from "../shared/contract";
import type { Values } from "../shared/settings";
import { matches, type Facts } from "./filters";
import type { MapSettings } from "./settings";

const menus = ["group", "year", "choice"] as const;

/** Filters the table that the page already has: it is written when the site is built, and can be read without this. */
const view: View<Values<MapSettings>> = {
  render({ model, el }) {
    const form = el.querySelector<HTMLFormElement>("#filters")!;
    const search = form.querySelector<HTMLInputElement>("#words")!;
    const status = form.querySelector<HTMLElement>("#count")!;
    const lines = Array.from(el.querySelectorAll<HTMLTableRowElement>("tr[data-facts]"), (line) => ({
      line,
      facts: JSON.parse(line.dataset["facts"]!) as Facts,
    }));
    const nodes = Array.from(el.querySelectorAll<SVGElement>("[data-node]"));
    form.hidden = false;
    const selectOf = (name: (typeof menus)[number]): HTMLSelectElement => form.querySelector(`#${name}`)!;
    const show = (): void => {
      for (const name of menus) selectOf(name).value = model.get(name);
      const wanted = {
        words: search.value,
        group: model.get("group"),
        year: model.get("year"),
        choice: model.get("choice"),
      };
      const found = lines.filter(({ line, facts }) => {
        const fits = matches(facts, wanted);
        line.hidden = !fits;
        return fits;
      });
      const isAll = found.length === lines.length;
      const names = new Set(found.map(({ line }) => line.dataset["rule"]));
      for (const node of nodes) node.classList.toggle("dim", !names.has(node.dataset["node"]));
      // A rule is indented below its closest relative, which a filter may hide.
      el.querySelector("table")!.classList.toggle("flat", !isAll);
      status.textContent = isAll
        ? `All ${lines.length} rules`
        : `${found.length} of ${lines.length} rules${found.length === 0 ? ": no rule has all of this" : ""}`;
    };
    const change = (event: Event): void => {
      const { target } = event;
      if (target instanceof HTMLSelectElement) {
        model.set(target.id as (typeof menus)[number], target.value);
        model.save_changes();
      } else show();
    };
    const submit = (event: Event): void => event.preventDefault();
    form.addEventListener("input", change);
    form.addEventListener("submit", submit);
    model.on("change", show);
    show();
    return () => {
      form.removeEventListener("input", change);
      form.removeEventListener("submit", submit);
      model.off("change", show);
    };
  },
};

export default view;
