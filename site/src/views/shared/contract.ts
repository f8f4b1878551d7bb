/**
 * Values that a view shows and changes: the model of an anywidget, so the same module runs in a notebook and on a page.
 *
 * @see anywidget's front-end modules (AFM): `export default { render({ model, el }) }`
 */
export interface Model<S> {
  get<K extends keyof S>(name: K): S[K];
  set<K extends keyof S>(name: K, value: S[K]): void;
  save_changes(): void;
  on(event: string, callback: () => void): void;
  off(event: string, callback: () => void): void;
}

/** A view in anywidget's form. What `render` returns ends it. */
export interface View<S> {
  render(given: { model: Model<S>; el: HTMLElement }): () => void;
}
