// What the service does some time after a call: remembered as data until it is done, so that a data file keeps it over a
// restart. What each of them does stands with the calls.

import type { EmulatorClock } from './clock.ts';
import type { ScheduledJob, Store } from './store.ts';

export interface Scheduler {
  add(one: ScheduledJob): void;
  /** Takes up what a file has kept; what fell due meanwhile happens at once. */
  resume(): void;
}

interface SchedulerDependencies {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly scheduleSave: () => void;
  readonly run: (one: ScheduledJob) => void;
}

export function createScheduler({ store, clock, scheduleSave, run }: SchedulerDependencies): Scheduler {
  function wait(one: ScheduledJob): void {
    clock.after(Math.max(0, one.due - clock.now()), () => {
      store.scheduledJobs.delete(one.id);
      scheduleSave();
      run(one);
    });
  }
  return {
    add(one) {
      store.scheduledJobs.set(one.id, one);
      scheduleSave();
      wait(one);
    },
    resume() {
      for (const one of store.scheduledJobs.values()) wait(one);
    },
  };
}
