// Schedules jobs that the service runs some time after a request. They are stored until they run, so that they survive a restart.

import type { EmulatorClock } from './clock.ts';
import type { ScheduledJob, Store } from './store.ts';

export type Scheduler = ReturnType<typeof createScheduler>;

export function createScheduler(store: Store, clock: EmulatorClock, run: (job: ScheduledJob) => void) {
  function setTimer(job: ScheduledJob): void {
    clock.after(Math.max(0, job.due - clock.now()), () => {
      store.scheduledJobs.delete(job.id);
      run(job);
    });
  }
  return {
    add(job: ScheduledJob) {
      store.scheduledJobs.set(job.id, job);
      setTimer(job);
    },
    /** Schedules the jobs from a data file. Overdue jobs run at once. */
    resume() {
      for (const job of store.scheduledJobs.values()) setTimer(job);
    },
  };
}
