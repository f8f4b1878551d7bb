import { useEffect, useRef, useState } from "preact/hooks";

/** Whether the reader wants no motion. */
export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A place on a film that plays by itself or is drawn by hand. */
export interface FilmPlace {
  /** Effect of `play` if motion is unwelcome: one step on, or back to the start from the end. */
  readonly still: "step" | "restart" | undefined;
  /** From 0 to the last picture; between two pictures while it plays. */
  readonly at: number;
  readonly isPlaying: boolean;
  play(): void;
  pause(): void;
  go(at: number): void;
}

/**
 * The place to which a press of the button leads a reader who wants no motion: one step on, and from the end back to the start, so
 * that no press is without effect.
 */
export const stillPlace = (at: number, last: number, step: number): number =>
  at >= last ? 0 : Math.min(at + step, last);

interface FilmOptions {
  /** Pictures a second. */
  readonly perSecond: number;
  /** The place where it begins. Default: the last picture. */
  readonly first?: number;
  /** Pictures that one press goes on where motion is unwelcome. Default: all. */
  readonly step?: number;
}

/**
 * Plays from the first picture to the last; a reader who wants no motion goes through it step by step. It begins at `first`, and
 * goes back there when `film` is another.
 */
export function useFilm(
  film: unknown,
  last: number,
  { perSecond, first = last, step = last }: FilmOptions,
): FilmPlace {
  const [at, setAt] = useState(first);
  const [isPlaying, setPlaying] = useState(false);
  const frame = useRef(0);
  const stop = (): void => {
    cancelAnimationFrame(frame.current);
    setPlaying(false);
  };
  useEffect(() => {
    stop();
    setAt(first);
    return () => cancelAnimationFrame(frame.current);
  }, [film, last]);
  const play = (): void => {
    stop();
    if (isStill()) return setAt(stillPlace(at, last, step));
    const from = at >= last ? 0 : at;
    setPlaying(true);
    let start: number | undefined;
    const next = (now: number): void => {
      start ??= now;
      const place = Math.min(from + ((now - start) / 1000) * perSecond, last);
      setAt(place);
      if (place < last) frame.current = requestAnimationFrame(next);
      else setPlaying(false);
    };
    frame.current = requestAnimationFrame(next);
  };
  const go = (place: number): void => {
    stop();
    setAt(place);
  };
  const still = !isStill() ? undefined : at >= last ? "restart" : "step";
  return { at: Math.min(at, last), isPlaying, still, play, pause: () => go(Math.round(at)), go };
}

/** The film's button: `name` where it plays, `stepName` where a press goes on by one step. */
export const filmWords = ({ still, isPlaying }: FilmPlace, name: string, stepName = name): string =>
  still === "restart" ? "Back to the start" : still === "step" ? stepName : isPlaying ? "Pause" : name;
