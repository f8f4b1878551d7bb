import type { Shown } from "./deck";
import type { Film } from "./film";
import { filmPictures, pictureHtml, pictureText } from "./filmPictures";
import { codeHtml, noticeHtml, storedHtml } from "./panel";
import type { Scene, Screen } from "./screen";

/** All that is shown at one moment. */
export interface Moment {
  readonly screen: Screen;
  readonly scene: Scene;
  /** The film that is shown in place of the chart, at one of its pictures. */
  readonly film: { readonly film: Film; readonly index: number } | undefined;
  readonly code: string;
  /** Whether the code gives this run; otherwise only its start. */
  readonly codeIsWhole: boolean;
}

const tooMuch = "Too much was changed by hand for a line of code: this one begins the run as it began.";

/** The parts of the screen beside the controls, from top to bottom, and the picture that a notebook stores. */
export function viewsOf(now: () => Moment): { beside: readonly Shown[]; stored: Shown } {
  const picture = {
    html: () => pictureNow(now()).html(),
    text: () => pictureNow(now()).text(),
  };
  const notice = {
    html: () => noticeHtml(now().scene),
    text: () => [now().scene.problem, now().scene.waiting].join("\n"),
  };
  const panel = {
    html: () => {
      const { screen, scene, film } = now();
      return screen.panelHtml(scene, film !== undefined);
    },
    text: () => now().screen.panelText(now().scene),
  };
  const code = {
    html: () => codeHtml(now().code, now().codeIsWhole ? "" : tooMuch),
    text: () => now().code,
  };
  // A chart without a curve would only look broken.
  const hasBegun = (): boolean => now().scene.courses.some(({ track }) => track.points.length > 0);
  const stored = {
    html: () => {
      const { code: line, screen, scene } = now();
      return storedHtml(line, hasBegun() ? picture.html() : "", screen.state(scene));
    },
    text: () =>
      hasBegun()
        ? `A stored picture of a playground: run the cell to start it again.\n${picture.text()}\n${now().code}`
        : `A playground: run the cell to open it.\n${now().code}`,
  };
  return { beside: [picture, notice, panel, code], stored };
}

/** The chart, or the film's present picture. */
export function pictureNow({ screen, scene, film: shown }: Moment): Shown {
  if (!shown) {
    return { html: () => screen.chartHtml(scene), text: () => screen.chartText(scene) };
  }
  const { film, index } = shown;
  const { tiles, vocabulary } = scene.steered.run.env.spec;
  const of = [filmPictures(film, tiles, vocabulary)[index]!, index, film.record.update] as const;
  return { html: () => pictureHtml(...of), text: () => pictureText(...of) };
}
