export const svgNamespace = "http://www.w3.org/2000/svg";

/** HTML of a drawing as XML, with its namespaces; undefined if it has HTML inside, whose tags may be left open. */
export function svgXml(html: string): string | undefined {
  if (/<foreignObject\b/i.test(html)) return undefined;
  const head = /^<[^>]*>/.exec(html)?.[0] ?? "";
  const missing = [
    ["xmlns", svgNamespace, true],
    ["xmlns:xlink", "http://www.w3.org/1999/xlink", /\sxlink:/.test(html)],
  ] as const;
  const added = missing
    .filter(([name, , isUsed]) => isUsed && !new RegExp(`\\s${name}=`).test(head))
    .map(([name, uri]) => ` ${name}="${uri}"`);
  return html.replace(/^<[\w:-]+/, (start) => start + added.join("")).replaceAll("&nbsp;", "&#160;");
}
