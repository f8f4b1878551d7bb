import { flagsOfWords, UNKNOWN, unquoted, unsure, type LaunchFlags } from "./flagWords";
import { valueOfSum } from "./sum";

type Variables = Map<string, readonly string[]>;

/**
 * The flags of the command of a script that has most of them: `key=value`, `+key=value`, `--flag value` and `--flag=value`.
 *
 * Variables that the script sets are filled in, with their defaults (`${X:-0.28}`), sums (`$((8 * 1024))`) and lists; quotes, comments
 * and continued lines are those of bash. What depends on the machine, on arguments or on other programs is listed as unresolved, and so is
 * what is set within an `if`, a `case`, a loop or a function, which may not be run.
 */
export function launchFlags(script: string): LaunchFlags {
  const variables: Variables = new Map();
  const commands = new Scanner(script, variables).commands();
  // Some keep the command in a variable, and hand it to a shell.
  const held = [...variables.values()].map((words) => words.join(" ").trim().split(/\s+/));
  const found = [...commands, ...held].map(flagsOfWords);
  return found.reduce(
    (best, one) => (Object.keys(one.flags).length > Object.keys(best.flags).length ? one : best),
    { flags: {}, unresolved: [], words: [] },
  );
}

/** Cuts a script into commands of words, and fills in what it has set. */
class Scanner {
  #at = 0;
  readonly #commands: string[][] = [];
  #words: string[] = [];
  /** Open blocks, whose commands may not be run: of which some are a `case`, and whether a test precedes the command. */
  #blocks: ("case" | "other")[] = [];
  #guarded = false;

  constructor(
    private readonly text: string,
    private readonly variables: Variables,
  ) {}

  commands(): readonly (readonly string[])[] {
    while (this.#at < this.text.length) this.#next();
    this.#end();
    return this.#commands;
  }

  #end(): void {
    if (this.#words.length > 0) this.#commands.push(this.#words);
    this.#words = [];
  }

  #next(): void {
    const char = this.text[this.#at]!;
    if (/^\\\r?\n/.test(this.text.slice(this.#at, this.#at + 3))) {
      this.#at += this.text[this.#at + 1] === "\r" ? 3 : 2;
    } else if (char === "#") {
      this.#to("\n");
    } else if (char === "\n" || char === ";" || char === "|" || char === "&") {
      const isTest = /^(\[\[?|test)$/.test(this.#words[0] ?? "");
      const both = this.text[this.#at + 1] === char;
      this.#guarded = (char === "&" || char === "|") && both && (isTest || this.#guarded);
      this.#at += char !== "\n" && both ? 2 : 1;
      this.#end();
    } else if (this.#words.length === 0 && this.#keyword()) {
      return;
    } else if (char === ")" && this.#blocks.at(-1) === "case") {
      // The pattern of a branch.
      this.#at += 1;
      this.#words = [];
    } else if (/\s/.test(char)) {
      this.#at += 1;
    } else if (char === "(" || char === ")" || char === "<" || char === ">") {
      if (this.text.startsWith("<<", this.#at)) this.#skipDocument();
      else if (char === "<" || char === ">") this.#skipRedirection();
      else this.#at += 1;
    } else {
      this.#word();
    }
  }

  /** Passes over a word of bash's own at the start of a command. */
  #keyword(): boolean {
    const word =
      /^(?:if|then|elif|else|fi|case|esac|for|while|until|do|done|\{|\}|function\s+[\w-]+(?:\s*\(\s*\))?|[A-Za-z_][\w-]*\s*\(\s*\))(?=[\s;{]|$)/.exec(
        this.text.slice(this.#at, this.#at + 120),
      )?.[0];
    if (word === undefined) return false;
    this.#at += word.length;
    if (/^(if|for|while|until|\{)$/.test(word)) this.#blocks.push("other");
    if (/^(fi|done|esac|\})$/.test(word)) this.#blocks.pop();
    if (word === "case") {
      this.#blocks.push("case");
      const head = /^[^\n]*?\sin(?=\s)/.exec(this.text.slice(this.#at, this.#at + 400));
      this.#at += head?.[0].length ?? 0;
    }
    return true;
  }

  #to(end: string): void {
    const found = this.text.indexOf(end, this.#at);
    this.#at = found < 0 ? this.text.length : found;
  }

  /** Passes over `> run.log` and `2>&1`, which are no words of the command: neither the file nor the number before it. */
  #skipRedirection(): void {
    if (/\d/.test(this.text[this.#at - 1] ?? "") && /^\d$/.test(this.#words.at(-1) ?? "")) this.#words.pop();
    const to = /^(?:>>|>&|<&|>\||[<>])[ \t]*(?:&?\d\b|(?:"[^"\n]*"|'[^'\n]*'|[^\s;|&<>()])*)/.exec(
      this.text.slice(this.#at, this.#at + 400),
    )!;
    this.#at += to[0].length;
  }

  /** Passes over a here-document, which is no command. */
  #skipDocument(): void {
    const mark = /^<<-?\s*(['"]?)(\w+)\1/.exec(this.text.slice(this.#at, this.#at + 80));
    if (mark === null) {
      this.#at += 2;
      return;
    }
    const end = new RegExp(`\\n\\s*${mark[2]!}[ \\t]*(?=\\n|$)`).exec(this.text.slice(this.#at));
    this.#at = end === null ? this.text.length : this.#at + end.index + end[0].length;
  }

  #word(): void {
    const assigned = this.#words.every((word) => /^(export|local|declare|readonly|-\w+)$/.test(word))
      ? /^([A-Za-z_]\w*)(\+?)=/.exec(this.text.slice(this.#at, this.#at + 120))
      : null;
    if (assigned && this.text[this.#at + assigned[0].length] === "(") {
      this.#at += assigned[0].length + 1;
      this.#set(assigned, this.#list());
      return;
    }
    if (assigned) this.#at += assigned[0].length;
    const words = this.#pieces();
    if (assigned) this.#set(assigned, [words.join(" ")]);
    else this.#words.push(...words);
  }

  #set([, name, more]: RegExpExecArray, value: readonly string[]): void {
    const held = this.variables.get(name!);
    const before = more === "+" ? (held ?? []) : [];
    if (this.#blocks.length === 0 && !this.#guarded) this.variables.set(name!, [...before, ...value]);
    else if (more === "+") this.variables.set(name!, [...before, ...unsure(value)]);
    else if (held?.join("\n") !== value.join("\n"))
      this.variables.set(name!, [...unsure([...(held ?? []), ...value])]);
    // An assignment before a command is of that command, and elsewhere of the script: both may be used below.
  }

  /** The words of a list in parentheses. */
  #list(): string[] {
    const outer = this.#words;
    // As if they followed a command, so that key=value is a word.
    this.#words = ["list"];
    while (this.#at < this.text.length && this.text[this.#at] !== ")") {
      if (/\s/.test(this.text[this.#at]!)) this.#at += 1;
      else if (this.text[this.#at] === "#") this.#to("\n");
      else if (/^\\\r?\n/.test(this.text.slice(this.#at, this.#at + 3))) this.#at += 2;
      else this.#words.push(...this.#pieces());
    }
    this.#at += 1;
    const words = this.#words.slice(1);
    this.#words = outer;
    return words;
  }

  /** A word up to the next blank; several where a variable holds a list. */
  #pieces(): string[] {
    let words = [""];
    let empty = false;
    const add = (text: string): void => {
      words[words.length - 1] += text;
    };
    const spread = (values: readonly string[]): void => {
      if (values.length === 0) empty = true;
      words = values.flatMap((value, i) =>
        i === 0 ? [...words.slice(0, -1), words.at(-1)! + value] : [value],
      );
      if (values.length === 0) words = [""];
    };
    while (this.#at < this.text.length) {
      const char = this.text[this.#at]!;
      if (/[\s;|&<>)]/.test(char) || (char === "(" && words.at(-1) === "")) break;
      this.#at += 1;
      if (char === "\\") {
        const next = this.text[this.#at] ?? "";
        this.#at += 1;
        if (next === "\n") break;
        if (next === "\r") {
          this.#at += 1;
          break;
        }
        add(next);
      } else if (char === "'") {
        const end = this.text.indexOf("'", this.#at);
        add(this.text.slice(this.#at, end < 0 ? undefined : end));
        this.#at = end < 0 ? this.text.length : end + 1;
      } else if (char === '"') {
        this.#quoted(add, spread);
      } else if (char === "$" || char === "`") {
        // Unquoted, a variable with blanks is several words.
        const values = this.#value(char);
        if (values.length === 1 && /\s/.test(values[0]!)) spread(values[0]!.trim().split(/\s+/));
        else spread(values);
      } else {
        add(char);
      }
    }
    return empty && words.join("") === "" ? [] : words;
  }

  #quoted(add: (text: string) => void, spread: (values: readonly string[]) => void): void {
    while (this.#at < this.text.length && this.text[this.#at] !== '"') {
      const char = this.text[this.#at]!;
      this.#at += 1;
      if (char === "\\") {
        const next = this.text[this.#at] ?? "";
        this.#at += 1;
        if (next !== "\n") add(/["\\$`]/.test(next) ? next : `\\${next}`);
      } else if (char === "$" || char === "`") spread(this.#value(char));
      else add(char);
    }
    this.#at += 1;
  }

  /** Value of a `$` or a backtick that has been read. */
  #value(char: string): readonly string[] {
    if (char === "`") {
      this.#to("`");
      this.#at += 1;
      return [UNKNOWN];
    }
    const rest = this.text.slice(this.#at);
    if (rest.startsWith("((")) return [this.#sum()];
    if (rest.startsWith("(")) return [this.#skipNested("(", ")")];
    if (rest.startsWith("{")) return this.#braced();
    const name = /^(?:[A-Za-z_]\w*|[@*#?$!\d-])/.exec(rest)?.[0];
    if (name === undefined) return ["$"];
    this.#at += name.length;
    return this.#of(name);
  }

  #of(name: string): readonly string[] {
    // Arguments are flags that somebody may add; nothing is known of them.
    if (name === "@" || name === "*") return [];
    return this.variables.get(name) ?? [UNKNOWN];
  }

  #skipNested(open: string, close: string): string {
    let depth = 0;
    for (; this.#at < this.text.length; this.#at++) {
      if (this.text[this.#at] === open) depth += 1;
      if (this.text[this.#at] === close && --depth === 0) break;
    }
    this.#at += 1;
    return UNKNOWN;
  }

  #braced(): readonly string[] {
    const start = this.#at + 1;
    this.#skipNested("{", "}");
    const inner = this.text.slice(start, this.#at - 1);
    const list = /^(\w+)\[[@*]\]$/.exec(inner);
    if (list) return this.variables.get(list[1]!) ?? [];
    const form = /^([A-Za-z_]\w*|[@*\d])(?:(:?[-=])([^]*))?$/.exec(inner);
    if (form === null) return [UNKNOWN];
    const [, name, operator, initial = ""] = form;
    const value = this.variables.get(name!);
    const missing = value === undefined || (operator?.startsWith(":") && value.join("") === "");
    if (operator === undefined || !missing) return this.#of(name!);
    const words = new Scanner(
      `: ${JSON.stringify(unquoted(initial)).replace(/\\\\/g, "\\")}`,
      this.variables,
    );
    const filled = words.commands()[0]?.slice(1) ?? [""];
    const text = filled.length === 0 ? [""] : filled;
    if (operator.endsWith("=")) this.variables.set(name!, text);
    return text;
  }

  /** The value of `$((8 * 1024))`, of which the first parenthesis is next. */
  #sum(): string {
    const start = this.#at + 2;
    this.#skipNested("(", ")");
    const filled = this.text
      .slice(start, this.#at - 2)
      .replace(/\$?\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => this.#of(name).join(" "));
    return valueOfSum(filled) ?? UNKNOWN;
  }
}
