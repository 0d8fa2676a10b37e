// Changes webhooks one after the other, or many several at once, after one look at each and one question for all of them. Of several, one that fails is
// reported by URL and id and the others are still tried: in an incident, as many as possible should stop. Only a failure that all
// of them would have ends the command.

import type { Context } from '#cli/context.ts';
import { Failure, toFailure } from '#failure.ts';
import { describeHook, type Hook, hasName, hookSubject, readHook, withHookName } from '../records/hook.ts';
import { withProgressNotice } from '../verification/progress-notice.ts';
import { type ChangeWords, endedEarly, interruptHint, partFailed } from './change-progress.ts';

/** So many are still changed one after the other, so that each line stands where it is expected. */
const fewAtMost = 4;
const mostAtOnce = 4;

export interface EachChange<T extends object> {
  readonly words: ChangeWords;
  /** Of many, four are changed at once: in an incident a service may take its whole time limit for each. */
  readonly mayOverlap?: boolean;
  /** Asks about those that could be read, or may be there although they could not be read. Gives those that the user added. */
  readonly confirm: (hooks: readonly Hook[]) => Promise<readonly Hook[]>;
  /** What became of one. */
  readonly run: (hook: Hook) => Promise<T>;
  readonly show: (all: readonly T[]) => Promise<void>;
  /** Once all were tried. */
  readonly conclude: (targets: readonly Hook[]) => Promise<void>;
}

/** Throws what the command ends with, where a part failed. */
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
    given: context,
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
  /** Nothing where it failed and the others may not, once that was said. */
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
 * Where the service or the network fails to show it, warns and goes on with what is known: when the service is in trouble, people
 * stop webhooks, and that may still work.
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
