import katex from "katex";
import MarkdownIt from "markdown-it";
import { escapeHtml } from "../../display/html.js";
import { highlight } from "./highlight.js";
import { sanitize } from "./sanitize.js";

// Placeholders for formulas while the rest is sanitized: an allow list of tags is not safe with MathML in it.
const open = "\uE000";
const close = "\uE001";

const typescript = new Set(["ts", "typescript", "js", "javascript"]);

/** A formula as MathML, which browsers draw without any fonts or scripts. */
function formula(source: string, displayMode: boolean): string {
  return katex.renderToString(source, {
    displayMode,
    output: "mathml",
    throwOnError: false,
    trust: false,
    maxExpand: 1000,
  });
}

/** State of one rendering. */
interface Environment {
  formulas: string[];
}

function mathInline(md: MarkdownIt): void {
  md.inline.ruler.before("escape", "math", (state, silent) => {
    const rest = state.src.slice(state.pos);
    const match = /^\$\$([\s\S]+?)\$\$/.exec(rest) ?? /^\$(?!\s)((?:\\.|[^\\$])+?)(?<!\s)\$(?!\d)/.exec(rest);
    if (!match) return false;
    if (!silent) {
      const token = state.push("math", "", 0);
      token.content = match[1];
      token.block = match[0].startsWith("$$");
    }
    state.pos += match[0].length;
    return true;
  });
  md.renderer.rules.math = (tokens, i, _options, env: Environment) =>
    open + String(env.formulas.push(formula(tokens[i].content, tokens[i].block)) - 1) + close;
}

/** Each heading gets an id, so that links inside the notebook work. */
function headingIds(md: MarkdownIt): void {
  md.renderer.rules.heading_open = (tokens, i, options, _env, self) => {
    const text = tokens[i + 1].content.trim().replace(/\s+/g, "-");
    tokens[i].attrSet("id", text);
    return self.renderToken(tokens, i, options);
  };
}

function create(): MarkdownIt {
  const md = new MarkdownIt({
    html: true,
    linkify: false,
    highlight: (code, language) => (typescript.has(language) ? highlight(code) : escapeHtml(code)),
  });
  md.use(mathInline).use(headingIds);
  return md;
}

const renderer = create();

/** Markdown with formulas as HTML. Raw HTML in it goes through the allow list; scripts never come out. */
export function markdownToHtml(source: string): string {
  const env: Environment = { formulas: [] };
  const rendered = renderer.render(source.replace(/[\uE000\uE001]/g, ""), env);
  return sanitize(rendered).replace(/\uE000(\d+)\uE001/g, (_whole, index) => env.formulas[Number(index)]!);
}
