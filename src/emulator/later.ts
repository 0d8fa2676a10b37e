// What the service does some time after a call: remembered as data until it is done, so that a data file keeps it over a
// restart. What each of them does stands with the calls.

import type { EmulatorClock } from './clock.ts';
import type { Later, Store } from './store.ts';

export interface Agenda {
  add(one: Later): void;
  /** Takes up what a file has kept; what fell due meanwhile happens at once. */
  takeUp(): void;
}

interface Needs {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly changed: () => void;
  readonly run: (one: Later) => void;
}

export function createAgenda({ store, clock, changed, run }: Needs): Agenda {
  function wait(one: Later): void {
    clock.after(Math.max(0, one.due - clock.now()), () => {
      store.later.delete(one.id);
      changed();
      run(one);
    });
  }
  return {
    add(one) {
      store.later.set(one.id, one);
      changed();
      wait(one);
    },
    takeUp() {
      for (const one of store.later.values()) wait(one);
    },
  };
}
