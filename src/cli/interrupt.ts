// Ends a command at once on Ctrl-C, SIGTERM and SIGHUP, and says what it has sent. For a command that follows events an
// interruption is the normal end, without a message.

import type { SentChanges } from '#client/session.ts';
import { commandHint, Failure, type FailureCode, type Hint, isInterruption, joinHints } from '#failure.ts';
import type { Interruption, World } from '#world/world.ts';

interface Interruptible extends Sending {
  readonly world: Pick<World, 'process'>;
  isPrompting(): boolean;
  isFollowing(): boolean;
}

interface Sending {
  readonly changes: SentChanges;
  /** False if it may also have changed this machine, a receiver or the emulator. */
  readonly changesOnlyBySession: boolean;
  interruptHint(): string | undefined;
}

const signalCodes: { readonly [S in Interruption]: readonly [FailureCode, message: string] } = {
  SIGINT: ['interrupted', 'Interrupted'],
  SIGTERM: ['terminated', 'Ended by SIGTERM'],
  SIGHUP: ['hung_up', 'Ended by SIGHUP'],
};

/** Rejects when the user interrupts, and abandons what was running. `toFailure`: for a command that changes something without a session. */
export async function untilInterrupted<T>(
  context: Interruptible,
  run: () => Promise<T>,
  toFailure = (signal: Interruption) => interruptedFailure(signal, context),
): Promise<T> {
  let ignore = () => {};
  // Listens first: work on another thread may be done before the next line runs.
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

/** Adds the command's hint on how to continue, or how to look, once a change was sent. */
export function interruptedFailure(signal: Interruption, context: Sending): Failure {
  const [code, message] = signalCodes[signal];
  const { changes, changesOnlyBySession } = context;
  if (changes.size === 0 && changesOnlyBySession)
    return new Failure(code, { message, why: 'nothing was changed' });
  return new Failure(code, {
    message,
    why: describeChanges(changes) || undefined,
    hint: context.interruptHint() ?? lookHint(changes),
  });
}

/** True if the failure is the normal end of a command that followed events. */
export function hasEndedFollowing(
  { code }: Pick<Failure, 'code'>,
  context: Pick<Interruptible, 'isFollowing' | 'changes'>,
): boolean {
  return isInterruption(code) && context.isFollowing() && context.changes.size === 0;
}

/** `details` continues the message. */
export function interruptedFailureWith(signal: Interruption, details: string, hint: Hint): Failure {
  const [code, message] = signalCodes[signal];
  return new Failure(code, { message: `${message}: ${details}`, hint });
}

const outcomeWords = [
  ['unknown', 'was sent; its outcome is unknown', 'were sent; their outcomes are unknown'],
  ['done', 'was done', 'were done'],
  ['rejected', 'was rejected', 'were rejected'],
] as const;

function describeChanges(changes: SentChanges): string {
  const parts = outcomeWords.flatMap(([outcome, was, were]) => {
    const requests = changesWith(changes, outcome).map(({ request }) => request);
    return requests.length === 0 ? [] : `${requests.join(', ')} ${requests.length === 1 ? was : were}`;
  });
  return parts.join('; ');
}

function changesWith(changes: SentChanges, outcome: (typeof outcomeWords)[number][0]) {
  return [...changes.values()].filter((change) => change.outcome === outcome);
}

function lookHint(changes: SentChanges): Hint | undefined {
  const commands = new Set(changesWith(changes, 'unknown').map(({ look }) => look));
  return joinHints([...commands].map((command) => commandHint('To check: ', command))) || undefined;
}
