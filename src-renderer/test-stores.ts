import type { StateCreator, StoreApi } from 'zustand';
import { create as make } from 'zustand/react';

export { useStore } from 'zustand/react';
export { createStore } from 'zustand/vanilla';

const resets: (() => void)[] = [];

/** In tests this is the `create` of zustand: the modules of a worker are loaded once for all of its files, and each file begins with fresh stores. */
export function create<State>(initializer?: StateCreator<State>) {
  const known = (init: StateCreator<State>) => {
    const store = make<State>(init);
    resets.push(() => (store as StoreApi<State>).setState(store.getInitialState(), true));
    return store;
  };
  return initializer ? known(initializer) : known;
}

/** Puts every store back to what it began with. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
