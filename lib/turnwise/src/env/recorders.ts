import { displaySymbol, type MimeBundle } from "../base/display";
import { escapeHtml } from "../base/escapeHtml";
import { observationHtml } from "./grid/drawGrid";
import type { Action, Env, Info, Observation, ResetOptions, StepResult } from "./env";
import { Wrapper } from "./wrapper";

/** Return and length of one episode. */
export interface EpisodeStatistics {
  readonly return: number;
  readonly turns: number;
}

/**
 * Adds `info.episode` (return and turns) to the last step of every episode, and keeps the list.
 *
 * @example
 * import { make, RecordStatistics } from "turnwise";
 *
 * const env = new RecordStatistics(make("TMaze-v0"));
 * env.reset({ seed: 0 });
 * for (const move of [0, 0, 2]) env.step([move]); // forward, forward, up
 * env.episodes[0]!.turns; // => 3
 */
export class RecordStatistics extends Wrapper {
  readonly episodes: EpisodeStatistics[] = [];
  #return = 0;
  #turns = 0;

  protected override rewrap(inner: Env): Env {
    return new RecordStatistics(inner);
  }

  /** The branch's list begins with the episode that is running. */
  protected override rewrapRunning(inner: Env): Env {
    const copy = new RecordStatistics(inner);
    copy.#return = this.#return;
    copy.#turns = this.#turns;
    return copy;
  }

  override reset(options?: ResetOptions): [Observation, Info] {
    this.#return = 0;
    this.#turns = 0;
    return this.inner.reset(options);
  }

  override step(action: Action): StepResult {
    const [observation, reward, terminated, truncated, info] = this.inner.step(action);
    this.#return += reward;
    this.#turns++;
    if (!terminated && !truncated) return [observation, reward, terminated, truncated, info];
    const episode = { return: this.#return, turns: this.#turns };
    this.episodes.push(episode);
    return [observation, reward, terminated, truncated, { ...info, episode }];
  }
}

/**
 * Writes down every episode as text that a person can read and diff: what was seen, written and paid.
 *
 * @example
 * import { make, RecordTranscript } from "turnwise";
 *
 * const env = new RecordTranscript(make("Tiger-v0"));
 * env.reset({ seed: 0 });
 * env.step([0]);
 * env.text.split("\n")[1]; // => "sees    two closed doors"
 */
export class RecordTranscript extends Wrapper {
  readonly #lines: (readonly [kind: "#" | "sees" | "writes" | "reward", text: string])[] = [];

  /** Everything since the wrapper was made. */
  get text(): string {
    const lines = this.#lines.map(([kind, text]) => `${kind === "#" ? "# " : kind.padEnd(8)}${text}`);
    return lines.join("\n") + "\n";
  }

  /** MIME bundle that a notebook displays for this object; maps are drawn. */
  override [displaySymbol](): MimeBundle {
    const { tiles } = this.spec;
    const cells = this.#lines.map(([kind, text]) => {
      if (kind === "#") return `<tr><th colspan="2" style="text-align:left">${escapeHtml(text)}</th></tr>`;
      const shown = kind === "sees" ? observationHtml(text, tiles) : escapeHtml(text);
      const style = 'style="text-align:left;vertical-align:top"';
      return `<tr><td ${style}><small>${kind}</small></td><td ${style}>${shown}</td></tr>`;
    });
    return { "text/html": `<table><tbody>${cells.join("")}</tbody></table>`, "text/plain": this.text };
  }

  protected override rewrap(inner: Env): Env {
    return new RecordTranscript(inner);
  }

  /** The branch's text is what was written down so far, and then its own. */
  protected override rewrapRunning(inner: Env): Env {
    const copy = new RecordTranscript(inner);
    copy.#lines.push(...this.#lines);
    return copy;
  }

  override reset(options?: ResetOptions): [Observation, Info] {
    const result = this.inner.reset(options);
    this.#lines.push(["#", this.spec.id], ["sees", result[0].text]);
    return result;
  }

  override step(action: Action): StepResult {
    const result = this.inner.step(action);
    const [observation, reward, terminated, truncated] = result;
    this.#lines.push(
      ["writes", action.map((token) => this.spec.vocabulary[token]).join(" ")],
      ["sees", observation.text],
      ["reward", `${reward}${terminated ? ", terminated" : truncated ? ", truncated" : ""}`],
    );
    return result;
  }
}
