// Changes webhooks: reads each, confirms once, then sends. A failed change is reported and the others still run, since in an
// incident as many as possible should stop. A failure that would affect every webhook, such as an expired sign-in, ends the command.

import type { Context } from '#cli/context.ts';
import { Failure, toFailure } from '#failure.ts';
import { describeHook, type Hook, hasName, hookSubject, readHook, withHookName } from '../records/hook.ts';
import { withProgressNotice } from '../verification/progress-notice.ts';
import { type ChangeWords, endedEarly, interruptHint, partFailed } from './change-progress.ts';

/** Up to this many are changed in sequence, so that their lines appear in the order of the arguments. */
const fewAtMost = 4;
const mostAtOnce = 4;

export interface EachChange<T extends object> {
  readonly words: ChangeWords;
  /** Changes four at a time: in an incident each request may take its whole time limit. */
  readonly mayOverlap?: boolean;
  /** Gets the webhooks that were read, or whose read failed for another reason than 404. Returns the ones that the user added. */
  readonly confirm: (hooks: readonly Hook[]) => Promise<readonly Hook[]>;
  readonly run: (hook: Hook) => Promise<T>;
  readonly show: (results: readonly T[]) => Promise<void>;
  /** Runs after the last attempt. */
  readonly conclude: (targets: readonly Hook[]) => Promise<void>;
}

export async function changeEach<T extends object>(
  context: Context,
  hooks: readonly Hook[],
  { words, mayOverlap = false, confirm, run, show, conclude }: EachChange<T>,
): Promise<void> {
  const { report } = context;
  let isOnly = hooks.length === 1;
  const webhooks = new Map(hooks.map((hook) => [hook.record.id, hook]));
  const outcomes = new Map<string, T | Failure>();
  const started = new Set<string>();
  const progress = {
    context,
    get ids() {
      return [...webhooks.keys()];
    },
    started,
    outcomes,
    change: words,
    nameOf(id: string) {
      const hook = webhooks.get(id);
      return hook && hasName(hook) ? describeHook(hook) : id;
    },
  };
  /** Reports a failure that concerns this webhook alone, and returns undefined. */
  const attempt = async <R>(hook: Hook, action: () => Promise<R>): Promise<R | undefined> => {
    try {
      return await action();
    } catch (thrown) {
      const failure = toFailure(thrown);
      const isOwn = failure.meaning.concerns === 'record' || failure.meaning.concerns === 'service';
      const named = isOwn && (!isOnly || hasName(hook)) ? withHookName(failure, hook) : failure;
      if (isOnly) throw named;
      outcomes.set(hook.record.id, named);
      if (!isOwn) throw failure;
      await report.failure(named);
      return undefined;
    }
  };
  const toEnding = (thrown: unknown) =>
    isOnly ? toFailure(thrown) : endedEarly(toFailure(thrown), progress);

  for (const hook of hooks) {
    try {
      const read = hook.raw ? hook : await attempt(hook, () => readBefore(context, hook));
      if (read) webhooks.set(hook.record.id, read);
    } catch (thrown) {
      outcomes.delete(hook.record.id);
      throw toEnding(thrown);
    }
  }
  const readable = [...webhooks.values()].filter(({ record }) => !outcomes.has(record.id));
  const added = await confirm(readable);
  for (const hook of added) webhooks.set(hook.record.id, hook);
  const targets = [...readable, ...added];
  isOnly = webhooks.size === 1;

  context.onInterruptHint(() => interruptHint(progress));
  const queue = [...targets];
  const fatalErrors: unknown[] = [];
  const work = async () => {
    for (let hook = queue.shift(); hook; hook = queue.shift()) {
      const next = hook;
      started.add(next.record.id);
      try {
        const outcome = await attempt(next, () => run(next));
        if (outcome) outcomes.set(next.record.id, outcome);
      } catch (thrown) {
        fatalErrors.push(thrown);
        queue.length = 0;
      }
    }
  };
  const atOnce = mayOverlap && targets.length > fewAtMost ? mostAtOnce : 1;
  await withProgressNotice(
    context,
    () => `${outcomes.size} of ${webhooks.size} webhooks done.`,
    () => Promise.all(Array.from({ length: atOnce }, work)),
  );
  const ending = fatalErrors.length === 0 ? undefined : toEnding(fatalErrors[0]);
  await (await context.webhookRecords()).save();
  const done = progress.ids.flatMap((id) => {
    const outcome = outcomes.get(id);
    return outcome === undefined || outcome instanceof Failure ? [] : [outcome];
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
