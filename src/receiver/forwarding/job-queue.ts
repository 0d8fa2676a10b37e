// The jobs that may be sent now, the oldest delivery first, even if it joins late: after a backoff, or after another delivery.

export interface Ordered {
  readonly sequence: number;
}

export interface JobQueue<J extends Ordered> {
  add(job: J): void;
  /** The n-th oldest, from 0; `undefined` if there are fewer. */
  take(position?: number): J | undefined;
  /** Removes those for which it is true, and returns them, the oldest first. */
  takeAll(isTaken: (job: J) => boolean): readonly J[];
  readonly size: number;
}

export function createJobQueue<J extends Ordered>(): JobQueue<J> {
  // The oldest last, where removing it moves no other.
  let jobs: J[] = [];
  return {
    get size() {
      return jobs.length;
    },
    add(job) {
      let [from, to] = [0, jobs.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((jobs[middle]?.sequence ?? 0) > job.sequence) from = middle + 1;
        else to = middle;
      }
      jobs.splice(from, 0, job);
    },
    take(position = 0) {
      const at = jobs.length - 1 - position;
      return at < 0 ? undefined : jobs.splice(at, 1)[0];
    },
    takeAll(isTaken) {
      const taken = new Set(jobs.filter(isTaken));
      jobs = jobs.filter((job) => !taken.has(job));
      return [...taken].toReversed();
    },
  };
}
