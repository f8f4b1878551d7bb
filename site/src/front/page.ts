/// <reference lib="dom" />
import { continuation, progressOf, readChoices, readKept, type Kept, type Lesson } from "./progress";
import { find, type Entry } from "./search";

// The first page without this script is whole; with it, it knows how far its reader has come, and searches.

const keptName = "turnwise:course";
const choicesName = "turnwise:predictions";

/** Without storage, as in some private windows, marks last as long as the page. */
class Memory {
  #here: string | null = null;

  read(name: string): string | null {
    try {
      return localStorage.getItem(name) ?? (name === keptName ? this.#here : null);
    } catch {
      return name === keptName ? this.#here : null;
    }
  }

  write(kept: Kept): void {
    this.#here = JSON.stringify(kept);
    try {
      localStorage.setItem(keptName, this.#here);
    } catch {
      // Then it is kept in this page.
    }
  }
}

const memory = new Memory();
const byId = (id: string): HTMLElement => document.getElementById(id)!;
const lessons = JSON.parse(byId("course").textContent) as Lesson[];

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** One card's mark and words, made once, so that the focus stays where it is. */
interface Marks {
  readonly mark: HTMLInputElement;
  readonly words: HTMLElement;
}

const marks = new Map<string, Marks>(
  lessons.map((lesson) => {
    const place = document.querySelector<HTMLElement>(`.card[data-lesson="${lesson.name}"] .progress`)!;
    const mark = make("input", { type: "checkbox", ariaLabel: `Done: ${lesson.title}` });
    const words = make("span", { className: "made" });
    mark.addEventListener("change", () => {
      const kept = readKept(memory.read(keptName));
      memory.write({ ...kept, done: { ...kept.done, [lesson.name]: mark.checked } });
      draw();
    });
    const label = make("label", {}, mark, "Done");
    place.replaceChildren(label, words);
    place.hidden = false;
    return [lesson.name, { mark, words }];
  }),
);

function draw(): void {
  const kept = readKept(memory.read(keptName));
  const choices = readChoices(memory.read(choicesName));
  const progress = (lesson: Lesson): ReturnType<typeof progressOf> => progressOf(lesson, kept, choices);
  for (const lesson of lessons) {
    const { done, made, of } = progress(lesson);
    const { mark, words } = marks.get(lesson.name)!;
    mark.checked = done;
    words.textContent = made > 0 ? `${String(made)} of ${String(of)} predictions made` : "";
    document
      .querySelectorAll(`[data-lesson="${lesson.name}"]`)
      .forEach((box) => void box.classList.toggle("done", done));
  }
  const all = lessons.filter((one) => progress(one).done).length;
  const next = continuation(lessons, kept, progress);
  const place = byId("continue");
  place.hidden = all === 0 && next === undefined;
  if (place.hidden) return;
  const count = `${String(all)} of ${String(lessons.length)} lessons done.`;
  if (next === undefined)
    return place.replaceChildren(`You have done all ${String(lessons.length)} lessons.`);
  const section = progress(next).made > 0 ? progress(next).next : "";
  const where = section === "" || section === undefined ? "" : `, section ${section}`;
  place.replaceChildren(
    "Continue where you left off: ",
    make("a", { href: next.href }, `${next.number} ${next.title}`),
    `${where}. ${count}`,
  );
}

/** Notebooks keep their place themselves; this is for the ways that open one from here. */
document.addEventListener("click", ({ target }) => {
  const link = (target as Element).closest?.<HTMLAnchorElement>(".card a[href*='index.html?path=']");
  const name = link?.closest<HTMLElement>(".card")?.dataset["lesson"];
  if (name !== undefined) memory.write({ ...readKept(memory.read(keptName)), last: name });
});
addEventListener("storage", draw);
// A page that the reader comes back to is not loaded again.
addEventListener("pageshow", draw);
draw();

function search(): void {
  const form = byId("search");
  const field = form.querySelector("input")!;
  const list = byId("found");
  const status = byId("found-status");
  let entries: Promise<Entry[]> | undefined;
  const load = (): Promise<Entry[]> =>
    (entries ??= fetch("search.json")
      .then(async (answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return (await answer.json()) as Entry[];
      })
      .catch((error: unknown) => {
        // The next letter tries again.
        entries = undefined;
        throw error;
      }));
  const show = async (): Promise<void> => {
    const query = field.value;
    if (query.trim() === "") {
      list.replaceChildren();
      status.textContent = "";
      return;
    }
    try {
      const found = find(await load(), query);
      // A later letter has its own answer.
      if (field.value !== query) return;
      list.replaceChildren(...found.map(row));
      const many = found.length === 12 ? "The 12 best results" : `${String(found.length)} results`;
      status.textContent =
        found.length === 0
          ? `Nothing found for "${query.trim()}". Try one word, or the name of a rule or metric.`
          : found.length === 1
            ? "1 result"
            : many;
    } catch {
      status.textContent = "Cannot search: the index could not be loaded.";
    }
  };
  const row = ([kind, title, text, href]: Entry): HTMLElement =>
    make(
      "li",
      {},
      make("a", { href }, title),
      " ",
      make("small", {}, kind),
      ...(text === "" ? [] : [make("p", {}, text)]),
    );
  form.hidden = false;
  field.addEventListener("focus", () => void load().catch(() => undefined), { once: true });
  field.addEventListener("input", () => void show());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.focus();
  });
  form.addEventListener("keydown", (event) => {
    const links = Array.from(list.querySelectorAll("a"));
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === "Escape" && (field.value !== "" || at >= 0)) {
      field.value = "";
      field.focus();
      void show();
    } else if (event.key === "ArrowDown" && at + 1 < links.length) links[at + 1]!.focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? field).focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const isWriting = /^(?:INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
    if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}
search();
