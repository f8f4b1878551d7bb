import { choice } from "../shared/choice";
import type { Model, View } from "../shared/contract";
import { fragmentOf, type TextSetting } from "../shared/settings";
import { ruleView } from "./ruleView";
import { firstBeside, type Stored } from "./stored";

/** A rule's page for a cell: its title, its group, and all sections as HTML. */
export interface RuleCell {
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly html: string;
}

/** Settings of a rule's page in a cell: the rule, and the one whose curve is drawn next to its. */
export type CellSettings = Readonly<Record<"rule" | "beside", TextSetting<string>>>;

export const cellSettings = (names: readonly string[]): CellSettings => ({
  rule: choice("grpo", names),
  beside: choice("grpo", names),
});

/** The settings that a link holds; that of a rule's page names the rule by its folder. */
export function settingsIn(link: string): string {
  const [, rule] = /\/rules\/(\w+)\/?(?:#|$)/.exec(link) ?? [];
  return [rule === undefined ? "" : `rule=${rule}`, fragmentOf(link)].filter((part) => part !== "").join("&");
}

interface State {
  rule: string;
  beside: string;
}

/** A rule is not compared with itself. */
const besideOf = (model: Model<State>): string => {
  const [rule, beside] = [model.get("rule"), model.get("beside")];
  return rule === beside ? firstBeside(rule) : beside;
};

/** The model as a rule's curve sees it. */
const comparing = (model: Model<State>): Model<Pick<State, "beside">> => ({
  get: (() => besideOf(model)) as Model<Pick<State, "beside">>["get"],
  set: (_, beside) => model.set("beside", beside),
  save_changes: () => model.save_changes(),
  on: (event, callback) => model.on(event, callback),
  off: (event, callback) => model.off(event, callback),
});

/** The rules' pages in a cell: a menu of all rules, and what is known of the chosen one. */
export const cellView = (cells: readonly RuleCell[], stored: Stored): View<State> => ({
  render({ model, el }) {
    const label = document.createElement("label");
    const words = document.createElement("span");
    words.textContent = "rule";
    const menu = document.createElement("select");
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const { name, title, group } of cells) {
      const options =
        groups.get(group) ?? Object.assign(document.createElement("optgroup"), { label: group });
      groups.set(group, options);
      options.append(new Option(title, name));
    }
    menu.append(...groups.values());
    label.append(words, menu);
    const pick = document.createElement("p");
    pick.className = "pick";
    pick.append(label);
    const heading = document.createElement("h1");
    heading.tabIndex = -1;
    const page = document.createElement("div");
    el.append(pick, heading, page);

    let shown = "";
    let end = (): void => undefined;
    const show = (): void => {
      const { name, title, html } = cells.find((cell) => cell.name === model.get("rule"))!;
      menu.value = name;
      if (name === shown) return;
      shown = name;
      end();
      heading.textContent = title;
      // Written by the site's builder from the library's own data.
      page.innerHTML = html;
      if (page.querySelector("#curve") === null) end = () => undefined;
      else end = ruleView(name, stored).render({ model: comparing(model), el: page });
    };
    const choose = (rule: string): void => {
      model.set("rule", rule);
      model.save_changes();
    };
    const chosen = (): void => choose(menu.value);
    const follow = (event: Event): void => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#rule="]');
      if (link === null) return;
      event.preventDefault();
      choose(link.getAttribute("href")!.slice("#rule=".length));
      // The link is gone: the keyboard goes on from the new page.
      heading.focus();
    };
    menu.addEventListener("change", chosen);
    page.addEventListener("click", follow);
    model.on("change", show);
    show();
    return () => {
      model.off("change", show);
      end();
      el.replaceChildren();
    };
  },
});
