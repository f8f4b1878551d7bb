import { h, type ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** The site around a view's page; a view in a notebook has none. */
export interface Site {
  /** Address of the page, without its settings. */
  readonly address: string;
  /** Way from the page to the site's first page, with a slash at its end. */
  readonly root: string;
}

/** The site around the page that is open. */
export const siteHere = (): Site => ({ address: location.origin + location.pathname, root: "../" });

/** A page or a lesson to go on with. */
export interface Step {
  /** Address within the site. */
  readonly to: string;
  readonly name: string;
  readonly why: string;
}

export interface EndingProps {
  readonly site: Site | undefined;
  /** The settings as the end of a link. */
  readonly fragment: string;
  /** The subject of the link, such as "these runs". */
  readonly subject: string;
  readonly next: readonly Step[];
  /** A further paragraph about the link. */
  readonly about?: ComponentChild;
}

/** Pages and lessons to go on with. */
export const nextSteps = ({ root }: Site, next: readonly Step[]): ComponentChild =>
  h("nav", { "aria-label": "Next" }, [
    h("h2", null, "Next"),
    h(
      "ul",
      null,
      next.map(({ to, name, why }) =>
        h("li", { key: to }, [h("a", { href: root + to }, name), h("span", { class: "soft" }, why)]),
      ),
    ),
  ]);

/** End of a page: a link that holds its settings, and where to go next. */
export function Ending({ site, fragment, subject, next, about }: EndingProps): ComponentChild {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const link = `${site?.address ?? ""}${fragment}` || "#";
  useEffect(() => setCopied(false), [link]);
  const copy = (): void => {
    field.current!.select();
    // A page that may not use the clipboard leaves the link selected.
    navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return h("div", { class: "ending" }, [
    h("h2", null, site === undefined ? `The end of a link to ${subject}` : `Share ${subject}`),
    h("div", { class: "bar share" }, [
      h("input", {
        ref: field,
        readonly: true,
        value: link,
        "aria-label": `Link to ${subject}`,
        onFocus: (event: Event) => (event.currentTarget as HTMLInputElement).select(),
      }),
      h("button", { type: "button", onClick: copy }, isCopied ? "Copied" : "Copy the link"),
    ]),
    about,
    site && nextSteps(site, next),
  ]);
}
