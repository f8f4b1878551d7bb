import { useEffect, useRef, useState } from "preact/hooks";

/** Whether the reader wants no motion. */
export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A place on a film that plays by itself or is drawn by hand. */
export interface FilmPlace {
  /** From 0 to the last picture; between two pictures while it plays. */
  readonly at: number;
  readonly isPlaying: boolean;
  play(): void;
  pause(): void;
  go(at: number): void;
}

/**
 * Plays from the first picture to the last, so many a second; a reader who wants no motion sees the last one at once. It begins
 * at `first`, and goes back there when `film` is another.
 */
export function useFilm(film: unknown, last: number, perSecond: number, first = last): FilmPlace {
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
    if (isStill()) return setAt(last);
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
  return { at: Math.min(at, last), isPlaying, play, pause: () => go(Math.round(at)), go };
}
