// Changes several webhooks one after the other, after one look at each and one question for all of them. If one fails, it is
// reported by URL and id and the others are still tried: in an incident, as many as possible should stop. Only a failure
// that all of them would have ends the command.

import { Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import type { Chosen } from '../select/choose.ts';
import { endedEarly, interruptHint, partFailed } from './change-progress.ts';
import { readBefore } from './change-status.ts';
import { type ChangeTarget, type ChangeWords, describeWebhook } from './confirm.ts';
import { concernsOne, hasName, withWebhookName } from './name-failure.ts';
import { createBatch } from './record-changes.ts';

export interface EachChange<T extends object> {
  readonly words: ChangeWords;
  /** Asks about those that could be read, or may be there although nobody could look. */
  readonly confirm: (targets: readonly ChangeTarget[]) => Promise<void>;
  /** What became of one. */
  readonly run: (target: ChangeTarget) => Promise<T>;
  /** Records on this machine what became of some, while others are still to come. */
  readonly record: (some: readonly T[]) => Promise<void>;
  readonly show: (all: readonly T[]) => Promise<void>;
}

/** Throws what the command ends with, where a part failed. */
export async function changeEach<T extends object>(
  context: Context,
  { ids, known, local }: Chosen,
  change: EachChange<T>,
): Promise<void> {
  const targets = new Map<string, ChangeTarget>();
  const outcomes = new Map<string, T | Failure>();
  const standing = {
    given: context,
    ids,
    outcomes,
    change: change.words,
    nameOf: (id: string) => {
      const target = targets.get(id) ?? { id, local: local.get(id) };
      return hasName(target) ? describeWebhook(target) : id;
    },
  };
  try {
    for (const id of ids) {
      const target = { id, local: local.get(id) };
      const seen = known.get(id) ?? (await tryOne(context, target, () => readBefore(context, target)));
      if (seen instanceof Failure) outcomes.set(id, seen);
      else targets.set(id, { ...target, record: seen?.record });
    }
  } catch (thrown) {
    throw endedEarly(toFailure(thrown), standing);
  }
  await change.confirm([...targets.values()]);

  context.onInterruptHint(() => interruptHint(standing));
  const ending = await runEach(context, [...targets.values()], outcomes, change);
  await change.show([...outcomes.values()].flatMap((one) => (one instanceof Failure ? [] : [one])));
  const failure = ending ? endedEarly(ending, standing) : partFailed(standing);
  if (failure) throw failure;
}

/** The failure that kept the rest from being tried, where there was one. */
async function runEach<T extends object>(
  context: Context,
  targets: readonly ChangeTarget[],
  outcomes: Map<string, T | Failure>,
  change: EachChange<T>,
): Promise<Failure | undefined> {
  const records = createBatch<T>(context.world, change.record);
  let ending: Failure | undefined;
  for (const target of targets) {
    try {
      const outcome = await tryOne(context, target, () => change.run(target));
      outcomes.set(target.id, outcome);
      if (!(outcome instanceof Failure)) await records.add(outcome);
    } catch (thrown) {
      ending = toFailure(thrown);
      outcomes.set(target.id, ending);
      break;
    }
  }
  await records.flush();
  return ending;
}

/** What it gives; or, after it was said with the id, why it gives nothing. */
async function tryOne<T>(
  context: Context,
  target: ChangeTarget,
  run: () => Promise<T>,
): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || !concernsOne(error)) throw error;
    const named = withWebhookName(error, target);
    await context.report.failure(named);
    return named;
  }
}
