/** The schedule of a rule's steps: what it says of how often a batch is used and with which step, by path. */
export type Schedule = Readonly<Record<string, string>>;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** A rule that has no such option. */
const none = "–";

/**
 * The difference of two rules' schedules as HTML, since it shows in their curves next to the rules themselves; "" where there is
 * none. Text alone, so that the site's builder writes the same as the page.
 */
export function scheduleHtml(own: Schedule, other: Schedule, title: string): string {
  const paths = [...new Set([...Object.keys(own), ...Object.keys(other)])];
  const differing = paths.filter((path) => (own[path] ?? none) !== (other[path] ?? none));
  if (differing.length === 0) return "";
  const words = differing.map(
    (path) =>
      `<code>${escaped(path)}</code> ${escaped(own[path] ?? none)} (${escaped(title)}: ${escaped(other[path] ?? none)})`,
  );
  return `Not the rule alone: its steps differ from those of ${escaped(title)}, too. ${words.join(", ")}.`;
}
