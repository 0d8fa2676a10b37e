// Ends a command at once on Ctrl-C, SIGTERM and SIGHUP, and says whether anything may have changed. For a command that follows
// events an interruption is the normal end, without a message.

import type { SentChanges } from '#client/session.ts';
import { Failure, type FailureCode, type Hint, isInterruption } from '#failure.ts';
import type { Interruption, World } from '#world/world.ts';

interface Interruptible {
  readonly world: Pick<World, 'process'>;
  isPrompting(): boolean;
  isFollowing(): boolean;
  readonly changes: SentChanges;
  interruptHint(): string | undefined;
}

const signalCodes: { readonly [S in Interruption]: readonly [FailureCode, message: string] } = {
  SIGINT: ['interrupted', 'Interrupted'],
  SIGTERM: ['terminated', 'Ended by SIGTERM'],
  SIGHUP: ['hung_up', 'Ended by SIGHUP'],
};

/**
 * Rejects with a {@link Failure} when the user interrupts, and abandons what was running. Listens first: work on another
 * thread may be done before the next line runs. `toFailure`: for a command that changes something without a session.
 */
export async function untilInterrupted<T>(
  context: Interruptible,
  run: () => Promise<T>,
  toFailure = (signal: Interruption) => interruptedFailure(signal, context),
): Promise<T> {
  let ignore = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    ignore = context.world.process.onInterrupt((signal) => {
      // A prompt restores the terminal first, and then ends the command.
      if (!context.isPrompting()) reject(toFailure(signal));
    });
  });
  try {
    return await Promise.race([run(), interrupted]);
  } finally {
    ignore();
  }
}

/** Adds the command's hint on how to continue, once a change was sent. */
export function interruptedFailure(
  signal: Interruption,
  context: Pick<Interruptible, 'changes' | 'interruptHint'>,
): Failure {
  const [code, message] = signalCodes[signal];
  const { changes } = context;
  return new Failure(code, {
    message,
    why: describeChanges(changes),
    hint: hasBegun(changes) ? context.interruptHint() : undefined,
  });
}

/** True if the failure is the normal end of a command that followed events. */
export function hasEndedFollowing(
  { code }: Pick<Failure, 'code'>,
  context: Pick<Interruptible, 'isFollowing' | 'changes'>,
): boolean {
  return isInterruption(code) && context.isFollowing() && !hasBegun(context.changes);
}

function hasBegun({ made, unknown, pending }: SentChanges): boolean {
  return made.length > 0 || unknown.length > 0 || pending !== undefined;
}

/** `details` continues the message. */
export function interruptedFailureWith(signal: Interruption, details: string, hint: Hint): Failure {
  const [code, message] = signalCodes[signal];
  return new Failure(code, { message: `${message}: ${details}`, hint });
}

function describeChanges({ made, unknown: ended, pending }: SentChanges): string {
  const unknown = [...ended, ...(pending === undefined ? [] : [pending])];
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
