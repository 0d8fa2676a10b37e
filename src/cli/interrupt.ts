// Ends a command at once on Ctrl-C, SIGTERM and SIGHUP, and says whether something may have changed. One that follows what happens
// has no other end, so its user is told of nothing else.

import type { SentChanges } from '#client/change-tracker.ts';
import { Failure, type FailureCode, type Hint, isInterruption, isInterruptionStatus } from '#failure.ts';
import type { Interruption, World } from '#world/world.ts';

/** Of a command's context. */
interface Interruptible {
  readonly world: Pick<World, 'process'>;
  isPrompting(): boolean;
  isFollowing(): boolean;
  changes(): SentChanges;
  interruptHint(): string | undefined;
}

const signalCodes: { readonly [S in Interruption]: readonly [FailureCode, what: string] } = {
  SIGINT: ['interrupted', 'Interrupted'],
  SIGTERM: ['terminated', 'Ended by SIGTERM'],
  SIGHUP: ['hung_up', 'Ended by SIGHUP'],
};

/**
 * Rejects with a {@link Failure} when the user interrupts; whatever was running is abandoned. Listens before it runs anything:
 * what runs on another thread, such as making a folder, may be done before the next line runs. `toFailure`: for a command whose
 * changes no session sends.
 */
export async function untilInterrupted<T>(
  context: Interruptible,
  run: () => Promise<T>,
  toFailure = (signal: Interruption) => interruptedFailure(signal, context),
): Promise<T> {
  let ignore = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    ignore = context.world.process.onInterrupt((signal) => {
      // A question gives the terminal back first; what was running then ends with it.
      if (!context.isPrompting()) reject(toFailure(signal));
    });
  });
  try {
    return await Promise.race([run(), interrupted]);
  } finally {
    ignore();
  }
}

/** With the command's own word on how to go on, once it has sent a change. */
export function interruptedFailure(
  signal: Interruption,
  context: Pick<Interruptible, 'changes' | 'interruptHint'>,
): Failure {
  const [code, what] = signalCodes[signal];
  const changes = context.changes();
  return new Failure(code, {
    message: what,
    why: describeChanges(changes),
    hint: hasBegun(changes) ? context.interruptHint() : undefined,
  });
}

/** The failure of a command that followed what happens was its end, as its user wanted it. */
export function hasEndedFollowing(
  { code }: Pick<Failure, 'code'>,
  context: Pick<Interruptible, 'isFollowing' | 'changes'>,
): boolean {
  return isInterruption(code) && context.isFollowing() && !hasBegun(context.changes());
}

function hasBegun({ made, unknown }: SentChanges): boolean {
  return made.length > 0 || unknown.length > 0;
}

/** The status of a command that was ended so: what it was doing may still be running. */
export function isInterrupted(status: number): boolean {
  return isInterruptionStatus(status);
}

/** With what else there is to say of it. */
export function interruptedFailureWith(signal: Interruption, what: string, hint: Hint): Failure {
  const [code, by] = signalCodes[signal];
  return new Failure(code, { message: `${by}: ${what}`, hint });
}

function describeChanges({ made, unknown }: SentChanges): string {
  const parts = [
    ...(unknown.length > 0
      ? [
          `${unknown.join(', ')} ${unknown.length === 1 ? 'was sent; its outcome is unknown' : 'were sent; their outcomes are unknown'}`,
        ]
      : []),
    ...(made.length > 0 ? [`${made.join(', ')} ${made.length === 1 ? 'was' : 'were'} done`] : []),
  ];
  return parts.join('; ') || 'nothing was changed';
}
