/* eslint-disable */
// One function that the page runs, not the kernel: it goes into the output as its own text, and knows nothing from outside.

/** Puts the rows of a table on pages, and lets its heads sort them. */
export function enhanceTable(id: string, size: number): void {
  const page = globalThis as any;
  const root = page.document.getElementById(id);
  if (!root || root.dataset.live) return;
  root.dataset.live = "1";
  const [table, rest] = root.querySelectorAll("table");
  const body = table.tBodies[0];
  const rows: any[] = [...body.rows, ...(rest ? rest.tBodies[0].rows : [])];
  const details = root.querySelector("details");
  if (details) details.remove();
  let order = rows;
  let at = 0;
  const make = (tag: string, text: string): any => {
    const made = page.document.createElement(tag);
    made.textContent = text;
    return made;
  };
  const button = (text: string): any => {
    const made = make("button", text);
    made.type = "button";
    made.style.cssText =
      "font:inherit;color:inherit;background:none;border:1px solid currentColor;border-radius:3px;padding:0 .5em;cursor:pointer";
    return made;
  };
  const status = make("span", "");
  status.setAttribute("role", "status");
  status.style.margin = "0 .6em";
  const first = button("First");
  const previous = button("Previous");
  const next = button("Next");
  const last = button("Last");
  const show = (start: number): void => {
    at = Math.max(0, Math.min(start, Math.floor((rows.length - 1) / size) * size));
    body.replaceChildren(...order.slice(at, at + size));
    status.textContent =
      at + 1 + " to " + Math.min(at + size, rows.length) + " of " + rows.length.toLocaleString("en");
    for (const back of [first, previous]) back.disabled = at === 0;
    for (const on of [next, last]) on.disabled = at + size >= rows.length;
    for (const one of [first, previous, next, last]) one.style.opacity = one.disabled ? ".4" : "1";
  };
  first.onclick = () => show(0);
  previous.onclick = () => show(at - size);
  next.onclick = () => show(at + size);
  last.onclick = () => show(rows.length);
  if (rows.length > size) {
    const pages = make("div", "");
    pages.setAttribute("role", "group");
    pages.setAttribute("aria-label", "Pages of the table");
    pages.append(first, " ", previous, status, next, " ", last);
    table.after(pages);
  }
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head: any, column: number) => {
    const name = head.textContent;
    const sort = make("button", name === "" ? "#" : name);
    sort.type = "button";
    sort.title = "Sort by " + (name === "" ? "index" : name);
    sort.style.cssText = "font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer";
    const mark = make("span", "");
    mark.setAttribute("aria-hidden", "true");
    head.replaceChildren(sort, mark);
    const valueOf = (row: any): any => {
      const cell = row.cells[column];
      const text = cell.title || cell.textContent;
      return text === "" || isNaN(Number(text)) ? text : Number(text);
    };
    sort.onclick = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) {
        other.removeAttribute("aria-sort");
        other.lastChild.textContent = "";
      }
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      mark.textContent = up ? " ▲" : " ▼";
      const keyed = rows.map((row, i) => ({ row, i, key: valueOf(row) }));
      keyed.sort((a, b) => {
        const [x, y] = [a.key, b.key];
        if (x === "" || y === "") return (x === "" ? 1 : 0) - (y === "" ? 1 : 0) || a.i - b.i;
        const mixed = typeof x !== typeof y;
        const way = mixed ? (typeof x === "number" ? -1 : 1) : x < y ? -1 : x > y ? 1 : 0;
        return (up ? way : -way) || a.i - b.i;
      });
      order = keyed.map(({ row }) => row);
      show(0);
    };
  });
  show(0);
}
