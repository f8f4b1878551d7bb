import type { View } from "./contract";
import { PageModel } from "./pageModel";
import { fragmentOf, refusedWords, type Settings, type Values } from "./settings";

/** Made when the module is built: the style sheets of the pages, for a shadow root. */
declare const VIEW_CSS: string;

/** Traits of a view in a notebook: its settings as the end of a link to its page. Without the trait, nothing is kept. */
export interface NotebookTraits {
  link?: string;
}

/** Whether the front end is dark, by the marks of JupyterLab and Notebook or of VS Code; undefined where there are none. */
function isDark(): boolean | undefined {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === "false";
  if (vscodeThemeKind === undefined) return undefined;
  return vscodeThemeKind === "vscode-high-contrast" || vscodeThemeKind.includes("dark");
}

/** Gives an element the front end's theme, now and whenever it changes; returns a function that ends this. */
function followTheme(el: HTMLElement): () => void {
  const follow = (): void => {
    const dark = isDark();
    el.style.colorScheme = dark === undefined ? "" : dark ? "dark" : "light";
  };
  follow();
  const observer = new MutationObserver(follow);
  const attributeFilter = ["data-jp-theme-light", "data-vscode-theme-kind"];
  observer.observe(document.body, { attributes: true, attributeFilter });
  return () => observer.disconnect();
}

/**
 * A view of a page as the front-end module of an anywidget. It is drawn in a shadow root, so that neither the notebook's style
 * sheets nor the view's reach the other. `look` is a further class of the view; `read` gives the settings that a link holds.
 */
export function inNotebook<S extends Settings>(
  view: View<Values<S>>,
  settings: S,
  look = "",
  read: (link: string) => string = fragmentOf,
): View<NotebookTraits> {
  return {
    render({ model, el }) {
      const host = document.createElement("div");
      // The keys that move a slider are shortcuts of JupyterLab, too.
      host.dataset.lmSuppressShortcuts = "true";
      const style = document.createElement("style");
      style.textContent = VIEW_CSS;
      const notice = document.createElement("p");
      notice.setAttribute("role", "alert");
      const shown = document.createElement("div");
      shown.className = `view ${look}`;
      host.attachShadow({ mode: "open" }).append(style, notice, shown);
      el.append(host);
      let written: string | undefined;
      const own = new PageModel(settings, {
        read: () => read(model.get("link") ?? ""),
        write: (fragment) => {
          if (model.get("link") === undefined) return;
          written = fragment;
          model.set("link", fragment);
          model.save_changes();
        },
      });
      const warn = (): void => {
        notice.hidden = own.refused.length === 0;
        notice.textContent = refusedWords(own.refused);
      };
      const changed = (): void => {
        // The view's own change has been drawn.
        if (model.get("link") === written) return;
        written = undefined;
        own.reload();
        warn();
      };
      warn();
      const stopFollowing = followTheme(host);
      model.on("change:link", changed);
      const end = view.render({ model: own, el: shown });
      return () => {
        model.off("change:link", changed);
        stopFollowing();
        end();
        host.remove();
      };
    },
  };
}
