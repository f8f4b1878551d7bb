"use strict";

const most = 7;
const last = "Takeaways";

/** A lesson has a title and a question, at most seven numbered sections, and ends with its takeaways. */
function look({ cells, title, sections }) {
  const problems = [];
  const tell = (place, sentence) => problems.push([place, sentence]);
  const first = cells[0]?.place ?? "the notebook";
  if (title === "") tell(first, "the first cell must begin with # and the title");
  const opening = sections[0].items.filter(({ cell }) => cell.type === "markdown").map(({ text }) => text);
  if (!opening.join("\n").includes("?"))
    tell(first, "the opening asks no question; end it with the lesson's");

  const numbered = sections.filter(({ number }) => number !== undefined);
  const numbers = numbered.map(({ number }) => number).join(", ");
  if (numbered.length === 0 || numbers !== numbered.map((_, i) => i + 1).join(", "))
    tell("the headings", `the sections must be numbered ## 1. to ## ${String(most)}.: they are "${numbers}"`);
  if (numbered.length > most)
    tell(
      "the headings",
      `${String(numbered.length)} numbered sections, more than ${String(most)}; keep one idea a section`,
    );

  const { heading, number, items } = sections.at(-1);
  if (heading !== last || number !== undefined)
    return [
      ...problems,
      ["the headings", `the last section must be "## ${last}", but it is "## ${heading}"`],
    ];
  const text = items.map((item) => item.text).join("\n");
  const own = /^### In your own run *$([^]*?)(?=^###|(?![^]))/m.exec(text)?.[1];
  if (own === undefined || !/^\|/m.test(own) || !/verl/.test(own) || !/TRL/.test(own))
    tell(last, 'it must have "### In your own run" with a table of metrics and flags in verl and TRL');
  for (const link of ["appendix/", "exercises/"])
    if (!text.includes(`](${link}`)) tell(last, `it must link to ${link}`);
  return problems;
}

module.exports = { kinds: ["lesson"], look };
