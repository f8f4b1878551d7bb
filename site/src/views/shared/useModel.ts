import { useEffect, useReducer } from "preact/hooks";
import type { Model } from "./contract";

/** Draws again whenever the model changes; gives a function that changes a value and keeps it in the link. */
export function useModel<S>(model: Model<S>): <K extends keyof S>(name: K, value: S[K]) => void {
  const [, refresh] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const changed = (): void => refresh(undefined);
    model.on("change", changed);
    return () => model.off("change", changed);
  }, [model]);
  return (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
}
