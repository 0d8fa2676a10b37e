// Sends the deliveries of one target: several at once, failed ones again after a backoff, until the limit is reached. While nothing
// reaches the target, one delivery tries and the others wait: an outage is not the fault of a delivery, so no attempt is counted.

import type { Clock, Random } from '../../world/world.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import { createJobQueue } from './job-queue.ts';
import { probeDelayMs, retryDelayMs } from './retry-delay.ts';
import type { AttemptResult, Target } from './target.ts';

/** One delivery for one target. */
export interface Job {
  readonly sequence: number;
  readonly receivedAt: number;
  /** How many attempts there were at the target, in this run and before. */
  attempts: number;
  /** Rejects if it cannot be read. */
  load(): Promise<StoredDelivery>;
  /**
   * Called after each attempt; after `forwarded` and `dead`, the line has forgotten the delivery. Resolves once the result survives a
   * kill: until then the delivery counts as in flight, so that a kill repeats no more deliveries than are sent at once.
   */
  onAttempt(made: MadeAttempt): Promise<void>;
}

export interface LineOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly random: Random;
  /** Attempts at the same time. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly giveUpAfterMs: number;
  /** `undefined`: the outage is over. */
  onOutage(target: string, fault: string | undefined): void;
  /** An attempt has ended, whatever came of it. */
  onIdle(): void;
}

export interface MadeAttempt extends Pick<AttemptResult, 'outcome' | 'milliseconds' | 'detail'> {
  readonly verdict: 'forwarded' | 'retry' | 'dead';
  readonly attempt: number;
  /** `undefined` if it could not be read, or was given up without another attempt. */
  readonly delivery: StoredDelivery | undefined;
  /** Until the next one. */
  readonly delay?: number;
}

export interface LineState {
  readonly target: string;
  readonly inFlight: number;
  /** May be sent, and waits for its turn or for the end of an outage. */
  readonly waiting: number;
  /** Failed, and waits for its next attempt. */
  readonly retrying: number;
  /** Why nothing reaches the target; `undefined` if it is available. */
  readonly fault: string | undefined;
}

export type TargetLine = ReturnType<typeof createTargetLine>;

interface Outage {
  readonly fault: string;
  /** By the monotonic clock. */
  readonly since: number;
  probes: number;
  nextProbeAt: number | undefined;
  /** The outage has lasted too long: from now on, old deliveries are given up. */
  end: AttemptResult | undefined;
}

export function createTargetLine(target: Target, options: LineOptions) {
  const { clock, random } = options;
  const ready = createJobQueue<Job>();
  const retries = new Map<Job, { readonly at: number; readonly cancel: () => void }>();
  let cancelProbe = () => {};
  // Each attempt has a signal of its own: Node warns of a signal that many listen to.
  const inFlight = new Map<number, AbortController>();
  let isStopped = false;
  let outage: Outage | undefined;
  /** Changes when an outage begins or ends: what an older attempt says about the target is out of date. */
  let era = 0;

  const pump = () => {
    while (!isStopped && !outage && inFlight.size < options.concurrency) {
      const job = ready.take();
      if (!job) return;
      void attempt(job);
    }
  };

  const attempt = async (job: Job) => {
    const [probed, started] = [outage, era];
    const ending = new AbortController();
    inFlight.set(job.sequence, ending);
    const { result, delivery } = await sendTo(target, job, ending.signal);
    // Once it is stopped, a delivery stays unfinished, unless the target has taken it.
    if (!isStopped || result.verdict === 'forwarded') {
      if (result.verdict !== 'unavailable') {
        if (probed) endOutage();
        const written = conclude(job, result, delivery);
        if (written) await written;
      } else {
        ready.add(job);
        if (probed) extendOutage(probed, result);
        else if (!outage && started === era) beginOutage(result);
      }
    }
    inFlight.delete(job.sequence);
    pump();
    options.onIdle();
  };

  /** `undefined` if there will be another attempt. */
  const conclude = (job: Job, result: AttemptResult, delivery: StoredDelivery | undefined) => {
    const { verdict, outcome, milliseconds, detail, retryAfterMs } = result;
    job.attempts += 1;
    const made = { attempt: job.attempts, outcome, milliseconds, ...withDetail(detail), delivery };
    if (verdict === 'forwarded') return job.onAttempt({ ...made, verdict });
    if (verdict === 'dead' || job.attempts >= options.maxAttempts)
      return job.onAttempt({ ...made, verdict: 'dead' });
    const delay = retryDelayMs(job.attempts, random, retryAfterMs);
    const cancel = clock.after(delay, () => {
      retries.delete(job);
      ready.add(job);
      pump();
      scheduleProbe();
    });
    retries.set(job, { at: clock.monotonic() + delay, cancel });
    void job.onAttempt({ ...made, verdict: 'retry', delay });
    return undefined;
  };

  const beginOutage = ({ outcome, detail }: AttemptResult) => {
    era += 1;
    outage = {
      fault: detail ?? outcome,
      since: clock.monotonic(),
      probes: 1,
      nextProbeAt: undefined,
      end: undefined,
    };
    options.onOutage(target.name, outage.fault);
    scheduleProbe();
  };

  const endOutage = () => {
    era += 1;
    outage = undefined;
    options.onOutage(target.name, undefined);
  };

  const extendOutage = (current: Outage, result: AttemptResult) => {
    current.probes += 1;
    current.nextProbeAt = undefined;
    if (clock.monotonic() - current.since >= options.giveUpAfterMs) current.end = result;
    giveUp(current);
    scheduleProbe();
  };

  const scheduleProbe = () => {
    if (!outage || outage.nextProbeAt !== undefined || isStopped) return;
    const delay = probeDelayMs(outage.probes, random);
    outage.nextProbeAt = clock.monotonic() + delay;
    cancelProbe = clock.after(delay, probe);
  };

  const probe = () => {
    if (!outage) return;
    // Not always the oldest: if the command cannot start for that delivery alone, another one gets through.
    const job = ready.size === 0 ? undefined : ready.take(outage.probes % ready.size);
    if (job) void attempt(job);
    // The next one to join starts it again.
    else outage.nextProbeAt = undefined;
  };

  const giveUp = ({ end }: Outage) => {
    if (!end) return;
    const isExpired = (job: Job) => clock.now() - job.receivedAt >= options.giveUpAfterMs;
    for (const job of ready.takeAll(isExpired)) {
      const made = {
        attempt: job.attempts + 1,
        outcome: end.outcome,
        milliseconds: 0,
        ...withDetail(end.detail),
      };
      void job.onAttempt({ ...made, verdict: 'dead', delivery: undefined });
    }
  };

  return {
    add(job: Job) {
      ready.add(job);
      // Giving up one delivery releases the next of its subject, which may be as old.
      if (outage) giveUp(outage);
      pump();
      scheduleProbe();
    },
    state: () => ({
      target: target.name,
      inFlight: inFlight.size,
      waiting: ready.size,
      retrying: retries.size,
      fault: outage?.fault,
    }),
    /** The deliveries that are being sent. */
    sending: () => inFlight.keys(),
    /** When something will be sent again, by the monotonic clock; `undefined` unless it waits for that. */
    nextAttemptAt() {
      const times = [...retries.values()].map(({ at }) => at);
      if (outage?.nextProbeAt !== undefined) times.push(outage.nextProbeAt);
      return times.reduce<number | undefined>(
        (least, at) => (least === undefined ? at : Math.min(least, at)),
        undefined,
      );
    },
    /** Ends the attempts, and starts no more. Those in flight are still concluded if the target has taken them. */
    stop() {
      isStopped = true;
      cancelProbe();
      for (const { cancel } of retries.values()) cancel();
      for (const ending of inFlight.values()) ending.abort();
    },
  };
}

const withDetail = (detail: string | undefined) => (detail === undefined ? {} : { detail });

/** Never rejects, whatever the target does. A delivery that cannot be read fails alone. */
async function sendTo(
  target: Target,
  job: Job,
  signal: AbortSignal,
): Promise<{ readonly result: AttemptResult; readonly delivery?: StoredDelivery }> {
  try {
    const delivery = await job.load();
    if (signal.aborted) return { result: { verdict: 'unavailable', outcome: 'aborted', milliseconds: 0 } };
    return { result: await target.send(delivery, job.attempts + 1, signal), delivery };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { result: { verdict: 'retry', outcome: 'failed', milliseconds: 0, detail } };
  }
}
