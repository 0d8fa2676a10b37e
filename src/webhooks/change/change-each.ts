// Changes webhooks: reads each, confirms once, then sends. A failed change is reported and the others still run, since in an
// incident as many as possible should stop. A failure that would affect every webhook, such as an expired sign-in, ends the command.

import type { Context } from '#cli/context.ts';
import { Failure, toFailure } from '#failure.ts';
import { describeHook, type Hook, hasName, hookSubject, readHook, withHookName } from '../records/hook.ts';
import { withProgressNotice } from '../verification/progress-notice.ts';
import { type ChangeWords, endedEarly, interruptHint, partFailed } from './change-progress.ts';

/** Up to this many are changed in sequence, so that their lines appear in the order given. */
const fewAtMost = 4;
const mostAtOnce = 4;

export interface EachChange<T extends object> {
  readonly words: ChangeWords;
  /** Changes four at a time: in an incident each request may take its whole time limit. */
  readonly mayOverlap?: boolean;
  /** Gets the webhooks that were read, or whose read failed for another reason than 404. Returns the ones that the user added. */
  readonly confirm: (hooks: readonly Hook[]) => Promise<readonly Hook[]>;
  /** Changes one webhook and returns the outcome. */
  readonly run: (hook: Hook) => Promise<T>;
  readonly show: (all: readonly T[]) => Promise<void>;
  /** Runs after the last attempt. */
  readonly conclude: (targets: readonly Hook[]) => Promise<void>;
}

/** Throws `part_failed` if any change failed. */
export async function changeEach<T extends object>(
  context: Context,
  hooks: readonly Hook[],
  { words, mayOverlap = false, confirm, run, show, conclude }: EachChange<T>,
): Promise<void> {
  const { report } = context;
  let isOnly = hooks.length === 1;
  const seen = new Map(hooks.map((hook) => [hook.record.id, hook]));
  const outcomes = new Map<string, T | Failure>();
  const begun = new Set<string>();
  const progress = {
    context,
    get ids() {
      return [...seen.keys()];
    },
    begun,
    outcomes,
    change: words,
    nameOf(id: string) {
      const hook = seen.get(id);
      return hook && hasName(hook) ? describeHook(hook) : id;
    },
  };
  /** Reports a failure that concerns this webhook alone, and returns undefined. */
  const tryOne = async <R>(hook: Hook, attempt: () => Promise<R>): Promise<R | undefined> => {
    try {
      return await attempt();
    } catch (thrown) {
      const failure = toFailure(thrown);
      const concernsOne = failure.meaning.concerns === 'record' || failure.meaning.concerns === 'service';
      const named = concernsOne && (!isOnly || hasName(hook)) ? withHookName(failure, hook) : failure;
      if (isOnly) throw named;
      outcomes.set(hook.record.id, named);
      if (!concernsOne) throw failure;
      await report.failure(named);
      return undefined;
    }
  };
  const toEnding = (thrown: unknown) =>
    isOnly ? toFailure(thrown) : endedEarly(toFailure(thrown), progress);

  for (const hook of hooks) {
    try {
      const read = hook.raw ? hook : await tryOne(hook, () => readBefore(context, hook));
      if (read) seen.set(hook.record.id, read);
    } catch (thrown) {
      outcomes.delete(hook.record.id);
      throw toEnding(thrown);
    }
  }
  const tried = [...seen.values()].filter(({ record }) => !outcomes.has(record.id));
  const added = await confirm(tried);
  for (const hook of added) seen.set(hook.record.id, hook);
  const targets = [...tried, ...added];
  isOnly = seen.size === 1;

  context.onInterruptHint(() => interruptHint(progress));
  const queue = [...targets];
  const ends: unknown[] = [];
  const work = async () => {
    for (let hook = queue.shift(); hook; hook = queue.shift()) {
      const next = hook;
      begun.add(next.record.id);
      try {
        const outcome = await tryOne(next, () => run(next));
        if (outcome) outcomes.set(next.record.id, outcome);
      } catch (thrown) {
        ends.push(thrown);
        queue.length = 0;
      }
    }
  };
  const atOnce = mayOverlap && targets.length > fewAtMost ? mostAtOnce : 1;
  await withProgressNotice(
    context,
    () => `${outcomes.size} of ${seen.size} webhooks done.`,
    () => Promise.all(Array.from({ length: atOnce }, work)),
  );
  const ending = ends.length === 0 ? undefined : toEnding(ends[0]);
  await (await context.webhookRecords()).save();
  const done = progress.ids.flatMap((id) => {
    const one = outcomes.get(id);
    return one === undefined || one instanceof Failure ? [] : [one];
  });
  await show(done);
  if (ending) throw ending;
  await conclude(targets);
  if (done.length < outcomes.size) throw partFailed(progress);
}

/**
 * If the read fails, warns and continues with what is known: people stop webhooks when the service is in trouble, and the
 * change may still work.
 */
async function readBefore(context: Context, hook: Hook): Promise<Hook> {
  try {
    return await readHook(context, hook.record.id);
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.retry !== 'soon') throw error;
    await context.report.warn(`${hookSubject(hook)} could not be read beforehand: ${error.sentence}`);
    return hook;
  }
}
