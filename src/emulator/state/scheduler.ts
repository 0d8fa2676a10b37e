// Schedules jobs that the service does some time after a request. They are stored as data until they run, so that a data file
// carries them over a restart. The `run` function does the work.

import type { EmulatorClock } from './clock.ts';
import type { ScheduledJob, Store } from './store.ts';

export type Scheduler = ReturnType<typeof createScheduler>;

interface SchedulerDependencies {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly scheduleSave: () => void;
  readonly run: (one: ScheduledJob) => void;
}

export function createScheduler({ store, clock, scheduleSave, run }: SchedulerDependencies) {
  function wait(one: ScheduledJob): void {
    clock.after(Math.max(0, one.due - clock.now()), () => {
      store.scheduledJobs.delete(one.id);
      scheduleSave();
      run(one);
    });
  }
  return {
    add(one: ScheduledJob) {
      store.scheduledJobs.set(one.id, one);
      scheduleSave();
      wait(one);
    },
    /** Schedules the jobs from a data file. Overdue jobs run at once. */
    resume() {
      for (const one of store.scheduledJobs.values()) wait(one);
    },
  };
}
