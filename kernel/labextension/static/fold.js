// Lets the readers of a notebook commit themselves: what follows a prediction stays folded until they choose, or ask to be told.
// Nothing is written into the notebook. The choices are kept in the browser.
"use strict";
(() => {
  const { foldsOf } = window._turnwisePredictions;
  const storeName = "turnwise:predictions";
  const told = "?";

  /** Choices of a reader, by prediction; shared by all tabs. Without storage, choices last as long as the page. */
  class Choices {
    constructor() {
      this.kept = {};
      this.listeners = new Set();
      window.addEventListener("storage", ({ key }) => {
        if (key === storeName || key === null) this.tell();
      });
    }

    all() {
      try {
        const read = JSON.parse(window.localStorage.getItem(storeName) ?? "{}");
        this.kept = typeof read === "object" && read !== null ? read : {};
      } catch {
        // Storage is blocked, or holds something else.
      }
      return this.kept;
    }

    of(key) {
      const choice = this.all()[key];
      return typeof choice === "string" ? choice : undefined;
    }

    /** Whether the reader wants to see every answer at once. */
    get asksNothing() {
      return this.all()["*"] === told;
    }

    set(key, choice) {
      const others = Object.entries(this.all()).filter(([name]) => name !== key);
      this.kept = Object.fromEntries(choice === undefined ? others : [...others, [key, choice]]);
      try {
        window.localStorage.setItem(storeName, JSON.stringify(this.kept));
      } catch {
        // Then it is kept in this page.
      }
      this.tell();
    }

    tell() {
      for (const listener of this.listeners) listener();
    }
  }

  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const button = (className, onclick, ...children) =>
    make("button", { type: "button", className, onclick }, ...children);

  /** Takes an option's item apart: its button holds what the item held, formulas included. */
  function intoButton(item, choose) {
    const paragraph =
      item.children.length === 1 && item.firstElementChild.tagName === "P" && item.firstElementChild;
    const choice = button("tw-Choice", choose, ...(paragraph || item).childNodes);
    item.replaceChildren(choice);
    return choice;
  }

  /** The choices of one prediction, in the place where its quote was drawn. */
  class Question {
    constructor(quote, fold, choices) {
      this.quote = quote;
      this.fold = fold;
      this.choices = choices;
      quote.classList.add("tw-Prediction");
      // Else J, K and the arrows of JupyterLab would act on cells while a reader is at the choices.
      quote.setAttribute("data-lm-suppress-shortcuts", "true");
      for (const kind of ["dblclick", "mousedown"])
        quote.addEventListener(kind, (event) => event.target.closest("button") && event.stopPropagation());
      this.buttons = this.makeButtons();
      this.status = make("span", { className: "tw-Status" });
      this.status.setAttribute("role", "status");
      this.links = make("span", { className: "tw-Links" });
      quote.append(make("div", { className: "tw-Footer" }, this.status, this.links));
    }

    makeButtons() {
      const { options, list, key } = this.fold;
      const choose = (letter) => () => this.isOpen && this.choices.set(key, letter);
      const items = [...this.quote.querySelectorAll("li")].filter((item) =>
        /^\s*\([a-h]\)/.test(item.textContent),
      );
      const areItems = list && items.length === options.length;
      if (!areItems && options.length > 0) {
        items.length = 0;
        for (const { letter } of options) items.push(make("li", {}, `(${letter})`));
        this.quote.append(make("ul", { className: "tw-mod-letters" }, ...items));
      }
      const choices = items[0]?.parentElement;
      choices?.classList.add("tw-Choices");
      choices?.setAttribute("aria-label", "Choices");
      return options.map(({ letter }, i) => ({ letter, node: intoButton(items[i], choose(letter)) }));
    }

    get isOpen() {
      return !this.choices.asksNothing && this.choices.of(this.fold.key) === undefined;
    }

    focus() {
      (this.buttons[0]?.node ?? this.links.querySelector("button"))?.focus();
    }

    /** `answer` is the letter of the right choice, where the notebook gives it. */
    update(answer) {
      const chosen = this.choices.of(this.fold.key);
      const { asksNothing } = this.choices;
      const state = `${String(asksNothing)} ${String(chosen)} ${String(answer)}`;
      if (state === this.state) return;
      this.state = state;
      const right = this.isOpen ? undefined : answer;
      for (const { letter, node } of this.buttons) {
        node.setAttribute("aria-pressed", String(letter === chosen));
        node.setAttribute("aria-disabled", String(!this.isOpen));
        node.classList.toggle("tw-mod-right", letter === right);
      }
      this.quote.classList.toggle("tw-mod-open", this.isOpen);
      const hadFocus = this.links.contains(document.activeElement);
      this.status.textContent = this.sentence(chosen, right);
      this.links.replaceChildren(...this.ways(chosen));
      if (hadFocus) this.links.querySelector("button")?.focus();
    }

    sentence(chosen, right) {
      const is = right === undefined ? "The answer is below." : `The answer is (${right}).`;
      if (chosen !== undefined && chosen !== told)
        return chosen === right
          ? `You chose (${chosen}), and that is right.`
          : `You chose (${chosen}). ${is}`;
      if (chosen === told || this.choices.asksNothing) return is;
      return this.buttons.length > 0
        ? "Choose one to see the rest of this section."
        : "Make up your mind, then see the rest of this section.";
    }

    ways(chosen) {
      const { choices, fold } = this;
      if (choices.asksNothing)
        return [button("tw-Link", () => choices.set("*", undefined), "Let me predict first")];
      if (chosen !== undefined)
        return [button("tw-Link", () => choices.set(fold.key, undefined), "Ask me again")];
      return [
        button("tw-Link", () => choices.set(fold.key, told), "Show me the answer"),
        button("tw-Link", () => choices.set("*", told), "Never hide answers"),
      ];
    }
  }

  /** Elements below one in the same cell, up to the next section. */
  function* following(element) {
    for (let next = element.nextElementSibling; next; next = next.nextElementSibling) {
      if (/^H[12]$/.test(next.tagName)) return;
      yield next;
    }
  }

  const remembers = /^your prediction in section (\d+)$/i;

  const isOfText = (node) =>
    node.nodeType === 1 &&
    (node.closest(".jp-MarkdownCell") !== null || node.querySelector(".jp-MarkdownCell") !== null);

  /** Folds one notebook of JupyterLab, and unfolds it as its reader chooses. */
  class Folding {
    constructor(notebook, choices) {
      this.notebook = notebook;
      this.choices = choices;
      this.questions = new WeakMap();
      this.folds = [];
      // A cell that the reader adds below a prediction is the reader's own, and stays in sight.
      this.given = new Set([...notebook.widgets].map(({ model }) => model.id));
      this.frame = 0;
      this.soon = () => {
        if (this.frame === 0) this.frame = requestAnimationFrame(() => this.apply());
      };
      choices.listeners.add(this.soon);
      // At once where a text was drawn, before it is laid out: choices that came later would move what a reader has scrolled to.
      this.observer = new MutationObserver((records) => {
        if (records.some(({ target, addedNodes }) => [target, ...addedNodes].some(isOfText))) this.apply();
        else this.soon();
      });
      this.observer.observe(notebook.node, { childList: true, subtree: true });
      notebook.activeCellChanged.connect(this.turnBack, this);
      notebook.disposed.connect(this.dispose, this);
      this.apply();
    }

    dispose() {
      cancelAnimationFrame(this.frame);
      this.observer.disconnect();
      this.choices.listeners.delete(this.soon);
    }

    isOpen({ key }) {
      return !this.choices.asksNothing && this.choices.of(key) === undefined;
    }

    /** The first prediction that holds a cell back. */
    holding(index) {
      if (!this.given.has(this.notebook.widgets[index]?.model.id)) return undefined;
      return this.folds.find((fold) => fold.cell < index && index < fold.end && this.isOpen(fold));
    }

    apply() {
      cancelAnimationFrame(this.frame);
      this.frame = 0;
      if (this.notebook.isDisposed || !this.notebook.model) return;
      const widgets = [...this.notebook.widgets];
      this.folds = foldsOf(
        widgets.map(({ model }) => ({
          type: model.type,
          source: model.type === "markdown" ? model.sharedModel.getSource() : "",
        })),
      );
      widgets.forEach((widget, i) => {
        widget.node.classList.toggle("tw-mod-folded", this.holding(i) !== undefined);
        if (widget.model.type === "markdown") this.applyTo(widget, i);
      });
    }

    applyTo(widget, index) {
      const folds = this.folds.filter(({ cell }) => cell === index);
      const quotes = [...widget.node.querySelectorAll(".jp-RenderedMarkdown blockquote")].filter((quote) =>
        /^Predict[.:]/.test(
          quote.querySelector(":scope > p:first-child > strong:first-child")?.textContent ?? "",
        ),
      );
      // While its text is being edited, a cell may show what it held before.
      if (quotes.length === folds.length)
        quotes.forEach((quote, i) => {
          const held = this.questions.get(quote);
          const question =
            held?.fold.key === folds[i].key ? held : new Question(quote, folds[i], this.choices);
          this.questions.set(quote, question);
          question.update(folds.length === 1 ? answerOf(widget.model) : undefined);
          for (const element of following(quote))
            element.classList.toggle(
              "tw-mod-folded",
              folds.slice(0, i + 1).some((fold) => this.isOpen(fold)),
            );
        });
      for (const phrase of widget.node.querySelectorAll(".jp-RenderedMarkdown em")) this.remember(phrase);
    }

    /** After the words "your prediction in section 2", in italics, says which it was. */
    remember(phrase) {
      const section = remembers.exec(phrase.firstChild?.textContent.trim() ?? "")?.[1];
      if (section === undefined) return;
      const fold = this.folds.findLast(
        (one) => one.section === section && this.choices.of(one.key) !== undefined,
      );
      const chosen = fold && this.choices.of(fold.key);
      const text = chosen === undefined || chosen === told ? "" : ` (you chose ${chosen})`;
      let note = phrase.querySelector(".tw-Chosen");
      if (note === null) phrase.append((note = make("span", { className: "tw-Chosen" })));
      if (note.textContent !== text) note.textContent = text;
    }

    /** A cell that is not to be seen cannot be the active one: the keys lead to the choices instead. */
    turnBack() {
      const fold = this.holding(this.notebook.activeCellIndex);
      if (!fold) return;
      const hadFocus = this.notebook.node.contains(document.activeElement);
      this.notebook.activeCellIndex = fold.cell;
      this.notebook.deselectAll();
      if (hadFocus) requestAnimationFrame(() => this.focus(fold));
    }

    focus(fold) {
      const quotes = this.notebook.widgets[fold.cell]?.node.querySelectorAll(".tw-Prediction") ?? [];
      const question = [...quotes]
        .map((quote) => this.questions.get(quote))
        .find((one) => one?.fold.key === fold.key);
      question?.focus();
    }
  }

  /** Letter of the right choice, from the cell's metadata: `"turnwise": { "answer": "b" }`. */
  function answerOf(model) {
    const answer = model.getMetadata("turnwise")?.answer;
    return typeof answer === "string" ? answer : undefined;
  }

  /**
   * On a phone a chart is drawn as wide as the page, unless its labels could not be read then: from half of its own width on, it is
   * scrolled sideways in its output. A drawing with small letters is scrolled a little sooner, and one without never. One rule for
   * every ten pixels of a chart's own width; no chart of the course has 1000.
   */
  function readable() {
    const output = ".jp-OutputArea-output";
    const small = ':has(text:is([font-size="12"], [font-size="13"], [font-size="14"]))';
    return Array.from({ length: 30 }, (_, i) => {
      const box = `[viewBox^="0 0 ${70 + i}"]`;
      const width = 10 * (71 + i);
      return `${output} .vega-embed svg.marks${box} { min-width: ${0.5 * width}px; } ${output} figure > svg${box}${small} { min-width: ${0.56 * width}px; }`;
    }).join(" ");
  }

  /** On a phone the four columns of a ledger would be four words wide: claim, source, measurement and verdict stand below each other. */
  const ledger = ".jp-OutputArea-output table:has(td > details[title])";
  const stackedLedger = `
      ${ledger} thead { display: none; }
      ${ledger}, ${ledger} :is(caption, tbody, tr, td) { display: block; max-width: 100%; white-space: normal; }
      ${ledger} tr { padding: 8px 4px; }
      ${ledger} td { padding: 2px 0; }
      ${ledger} td:first-child { font-weight: 600; }
  `;

  const style = `
    @media screen { .tw-mod-folded { display: none !important; } }
    .jp-RenderedMarkdown .tw-Prediction ul.tw-Choices { list-style: none; margin: 0.6em 0 0; padding: 0; display: grid; gap: 6px; }
    .jp-RenderedMarkdown .tw-Prediction ul.tw-mod-letters { grid-auto-flow: column; justify-content: start; }
    .jp-RenderedMarkdown .tw-Prediction ul.tw-Choices > li { margin: 0; }
    .tw-Choice { font: inherit; line-height: 1.4; color: var(--jp-content-font-color1); background: var(--jp-layout-color1); text-align: left;
      border: 1px solid var(--jp-border-color0); border-radius: 6px; padding: 8px 12px; width: 100%; cursor: pointer; }
    .tw-mod-open .tw-Choice:hover { border-color: var(--jp-brand-color1); background: var(--jp-layout-color2); }
    .tw-Choice[aria-disabled="true"] { cursor: default; border-color: var(--jp-border-color2); }
    .tw-Choice[aria-pressed="true"] { border: 2px solid var(--jp-brand-color1); padding: 7px 11px; font-weight: 600; }
    .tw-Choice.tw-mod-right::after { content: " ✓"; content: " ✓" / " the right answer"; font-weight: 700; }
    .tw-Choice.tw-mod-right { background: var(--jp-layout-color2); }
    .tw-Choice:focus-visible, .tw-Link:focus-visible { outline: 2px solid var(--jp-brand-color1); outline-offset: 2px; }
    .tw-Footer { display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: baseline; margin-top: 0.7em; color: var(--jp-content-font-color1); }
    .tw-Links { display: inline-flex; flex-wrap: wrap; gap: 4px 18px; }
    .tw-Link { font: inherit; border: 0; background: none; padding: 4px 0; cursor: pointer; text-decoration: underline;
      color: var(--jp-content-link-color, var(--jp-brand-color1)); }
    .tw-Chosen { font-style: normal; }
    @media (max-width: 640px) {
      .jp-RenderedMarkdown blockquote.tw-Prediction { margin-left: 0; margin-right: 0; }
      .jp-RenderedMarkdown table { display: block; overflow-x: auto; }
      .jp-OutputArea-output .vega-embed.vega-embed { max-width: 100%; padding-right: 0; }
      .jp-OutputArea-output .vega-embed.vega-embed summary { display: none; }
      .jp-OutputArea-output .vega-embed :is(canvas, svg.marks) { max-width: 100%; height: auto !important; }
      ${readable()}
      ${stackedLedger}
    }
  `;

  const choices = new Choices();

  /** The extension of JupyterLab and Notebook, without a token: notebooks announce themselves where their widgets are made. */
  window._turnwiseFold = {
    id: "turnwise:predictions",
    description: "Folds what follows a prediction until the reader chooses.",
    autoStart: true,
    activate(app) {
      document.head.append(make("style", { textContent: style }));
      const known = new WeakSet();
      const add = (panel) => {
        if (!panel?.content?.activeCellChanged || known.has(panel)) return;
        known.add(panel);
        const begin = () => panel.isDisposed || new Folding(panel.content, choices);
        panel.context.ready.then(begin, () => undefined);
      };
      app.docRegistry.addWidgetExtension("Notebook", {
        createNew(panel) {
          add(panel);
        },
      });
    },
  };
})();
