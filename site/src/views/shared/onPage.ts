import type { View } from "./contract";
import { PageModel } from "./pageModel";
import { refusedWords, type Settings, type Values } from "./settings";

/** Shows a view on a page, in its element `#view`; the settings are in the page's address. */
export function onPage<S extends Settings>(view: View<Values<S>>, settings: S): void {
  const el = document.getElementById("view")!;
  el.replaceChildren();
  onPageWith(view, settings, el);
}

/** The same in an element whose content the view goes on with. */
export function onPageWith<S extends Settings>(view: View<Values<S>>, settings: S, el: HTMLElement): void {
  const model = new PageModel(settings, {
    read: () => location.hash,
    write: (fragment) =>
      history.replaceState(null, "", fragment === "" ? location.pathname + location.search : fragment),
  });
  const warn = (): void => {
    const notice = document.getElementById("refused")!;
    notice.hidden = model.refused.length === 0;
    notice.textContent = refusedWords(model.refused);
  };
  warn();
  view.render({ model, el });
  addEventListener("hashchange", () => {
    model.reload();
    warn();
  });
}
