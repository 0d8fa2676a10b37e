// Changes webhooks: reads each that was not listed, confirms once, then sends. A failed change is reported and the others still run, since in an
// incident as many as possible should stop. A failure that would affect every webhook, such as an expired sign-in, ends the command.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommand, formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { everyFiveSeconds, startProgress } from '#cli/timed-progress.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { commandHint, Failure, type Hint, hintText, joinHints, toFailure } from '#failure.ts';
import { selectionFlags } from '../matching/choose.ts';
import { type OtherWebhooks, showStillActive } from '../matching/other-webhooks.ts';
import { describeHook, type Hook, hasName, hookSubject, readHook, withHookName } from '../records/hook.ts';
import { createContextForMany, maxBegun } from './many-requests.ts';

/** Up to this many are changed in sequence, so that their lines appear in the order of the arguments. */
const fewAtMost = 4;

export interface ChangeWords {
  /** The state after the change: `Suspended`, `deleted`. */
  readonly to: string;
  readonly verb: string;
  readonly done: string;
}

interface EachChange<T extends object> {
  readonly words: ChangeWords;
  /** How many more are selected, but cannot be changed. */
  readonly withoutId?: number | undefined;
  /** Gets the webhooks that were read, or whose read failed for another reason than 404. `added`: by the user. */
  readonly confirm: (hooks: readonly Hook[]) => Promise<{
    readonly added: readonly Hook[];
    readonly others?: OtherWebhooks | undefined;
  }>;
  /** Sends with the context that it gets. */
  readonly run: (hook: Hook, context: Context) => Promise<T>;
  readonly show: (results: readonly T[]) => Promise<void>;
  readonly conclude?: (targets: readonly Hook[]) => Promise<void>;
  /** True if all that was to change of a webhook is in this machine's records: the command fails without them. */
  readonly needsRecords?: () => boolean;
}

export async function changeEach<T extends object>(
  context: Context,
  hooks: readonly Hook[],
  { words, withoutId = 0, confirm, run, show, conclude, needsRecords }: EachChange<T>,
): Promise<void> {
  const { report } = context;
  let isOnly = hooks.length === 1;
  const webhooks = new Map(hooks.map((hook) => [hook.record.id, hook]));
  const outcomes = new Map<string, T | Failure>();
  const started = new Set<string>();
  const progress = { context, words, webhooks, started, outcomes };
  /** Takes a few in sequence, so that their lines are in the order of the arguments. Returns the failure that ended it early. */
  const forEach = async (items: readonly Hook[], work: (hook: Hook, sending: Context) => Promise<void>) => {
    const isMany = items.length > fewAtMost;
    const sending = isMany
      ? await createContextForMany(context, items.length, (id) => started.add(id))
      : context;
    const queue = items.values();
    let ending: Failure | undefined;
    const takeFromQueue = async () => {
      for (const hook of queue) {
        if (ending) return;
        try {
          await work(hook, sending);
        } catch (thrown) {
          const failure = toFailure(thrown);
          const { concerns } = failure.meaning;
          // An input of this webhook: an id that no path can contain.
          const isOwn = ['record', 'service', 'input'].includes(concerns) && failure.code !== 'rate_limited';
          const named = isOwn && (!isOnly || hasName(hook)) ? withHookName(failure, hook) : failure;
          if (isOnly || !isOwn) ending ??= named;
          if (isOwn || started.has(hook.record.id)) outcomes.set(hook.record.id, named);
          if (isOwn && !isOnly) await report.failure(named);
        }
      }
    };
    await Promise.all(Array.from({ length: isMany ? maxBegun : 1 }, takeFromQueue));
    return ending && !isOnly ? endedEarly(ending, progress) : ending;
  };

  const unread = hooks.filter(({ raw }) => raw === undefined);
  const endedReading = await forEach(unread, async (hook, sending) => {
    webhooks.set(hook.record.id, await readBefore(sending, hook));
  });
  if (endedReading) throw endedReading;
  const readable = [...webhooks.values()].filter(({ record }) => !outcomes.has(record.id));
  const { added, others } = await confirm(readable);
  for (const hook of added) webhooks.set(hook.record.id, hook);
  const targets = [...readable, ...added];
  isOnly = webhooks.size === 1;

  context.onInterruptHint(() => interruptHint(progress));
  const describeDone = () => `${outcomes.size} of ${webhooks.size} webhooks done.`;
  const endProgress = startProgress(context, describeDone, everyFiveSeconds);
  const ending = await forEach(targets, async (hook, sending) => {
    if (sending === context) started.add(hook.record.id);
    outcomes.set(hook.record.id, await run(hook, sending));
  }).finally(endProgress);
  const unsaved = await (await context.webhookRecords()).save();
  const done = [...webhooks.keys()].flatMap((id) => {
    const outcome = outcomes.get(id);
    return outcome === undefined || outcome instanceof Failure ? [] : [outcome];
  });
  await show(done);
  if (ending) throw ending;
  await conclude?.(targets);
  await showStillActive(context, words.verb, targets, others, (ids) =>
    formatChangeOf(context, words.verb, ids),
  );
  const unnamed = `${countOf(withoutId, 'webhook')} without an id ${withoutId === 1 ? 'was' : 'were'} not ${words.done}`;
  if (done.length < outcomes.size || withoutId > 0)
    throw new Failure('part_failed', {
      message: capitalize([...describeFailed(progress), ...(withoutId > 0 ? [unnamed] : [])].join('; ')),
      hint: formatNextCommands(context, words.verb, [], toRepeat(progress)) || undefined,
    });
  if (unsaved && needsRecords?.()) throw unsaved;
}

/** If the read fails, warns and continues: people stop webhooks in trouble, and the change may still work. */
async function readBefore(context: Context, hook: Hook): Promise<Hook> {
  try {
    return await readHook(context, hook.record.id);
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.retry !== 'soon') throw error;
    await context.report.warn(`${hookSubject(hook)} could not be read beforehand: ${error.sentence}`);
    return hook;
  }
}

interface ChangeProgress {
  readonly context: Context;
  readonly words: ChangeWords;
  readonly webhooks: ReadonlyMap<string, Hook>;
  readonly started: ReadonlySet<string>;
  readonly outcomes: ReadonlyMap<string, object>;
}

type ChangeState = 'waiting' | 'running' | 'done' | 'failed' | 'unknown';

function hooksIn(state: ChangeState, { webhooks, started, outcomes }: ChangeProgress): readonly Hook[] {
  const stateOf = (id: string): ChangeState => {
    const outcome = outcomes.get(id);
    if (outcome === undefined) return started.has(id) ? 'running' : 'waiting';
    if (!(outcome instanceof Failure)) return 'done';
    return outcome.meaning.changed === 'unknown' ? 'unknown' : 'failed';
  };
  return [...webhooks.values()].filter(({ record }) => stateOf(record.id) === state);
}

/** Adds the progress to a failure that kept the remaining webhooks from being changed. Exit status 8 if a webhook was changed, or may be. */
function endedEarly(failure: Failure, progress: ChangeProgress): Failure {
  const { context, words } = progress;
  const repeat = commandHint(
    'Then repeat the rest: ',
    formatChangeOf(context, words.verb, toRepeat(progress)),
  );
  const { message, why, wholeHint, httpStatus } = failure;
  const isPart = hooksIn('done', progress).length + hooksIn('unknown', progress).length > 0;
  const ended =
    isPart && failure.meaning.changed === 'no'
      ? new Failure('part_failed', { message, httpStatus, cause: failure })
      : failure;
  return ended.with({
    why: [...(why ? [why] : []), ...describeProgress(progress)].join('; '),
    hint: wholeHint ? joinHints([wholeHint, repeat]) : repeat,
  });
}

function interruptHint(progress: ChangeProgress): string {
  const see = [...hooksIn('unknown', progress), ...hooksIn('running', progress)].map(
    ({ record }) => record.id,
  );
  const { context, words } = progress;
  const next = formatNextCommands(context, words.verb, see, toRepeat(progress));
  const isUndoable = ['suspend', 'resume'].includes(words.verb);
  const undo = isUndoable && `To put back what it changed: ${formatCommand(context, 'webhook undo')}`;
  return [describeProgress(progress).join('; '), hintText(next), undo].filter(Boolean).join('\n');
}

function describeProgress(progress: ChangeProgress): readonly string[] {
  const { to } = progress.words;
  const done = describe('done', progress, (names, were) => `${names} ${were === 'was' ? 'is' : 'are'} ${to}`);
  return [...done, ...describeFailed(progress)];
}

/** After a failure, the count includes the webhooks that were not tried: users must not take one for all that is left. */
function describeFailed(progress: ChangeProgress): readonly string[] {
  const { done } = progress.words;
  const notTried = describe('waiting', progress, (names, were) => `${names} ${were} not tried`);
  const count = hooksIn('failed', progress).length + hooksIn('waiting', progress).length;
  const failed = describe('failed', progress, (names) => {
    const all = `${count} of ${progress.webhooks.size} webhooks ${count === 1 ? 'was' : 'were'} not ${done}`;
    return [`${all}: ${names}`, ...notTried].join(' failed, and ');
  });
  return [
    ...failed,
    ...describe('unknown', progress, (names, were) => `it is unknown whether ${names} ${were} ${done}`),
    ...(failed.length === 0 ? notTried : []),
  ];
}

/** Empty if no webhook is in the state. Names each by URL and id. */
function describe(
  state: ChangeState,
  progress: ChangeProgress,
  format: (names: string, were: 'was' | 'were') => string,
): readonly string[] {
  const names = hooksIn(state, progress).map((hook) => (hasName(hook) ? describeHook(hook) : hook.record.id));
  return names.length === 0 ? [] : [format(joinWithAnd(names), names.length === 1 ? 'was' : 'were')];
}

/** The webhooks to retry: not the ones already changed, nor the ones that do not exist or have an id that cannot be sent. */
function toRepeat({ webhooks, outcomes }: ChangeProgress): readonly string[] {
  return [...webhooks.keys()].filter((id) => {
    const outcome = outcomes.get(id);
    return !outcome || (outcome instanceof Failure && !['not_found', 'usage'].includes(outcome.code));
  });
}

export function formatNextCommands(
  context: Context,
  verb: string,
  see: readonly string[],
  repeat: readonly string[],
): Hint {
  const seeHint = `To see ${see.length === 1 ? 'its' : 'their'} status: `;
  return joinHints([
    ...(see.length > 0 ? [commandHint(seeHint, formatCommandWith(context, 'webhook get', see))] : []),
    ...(repeat.length > 0
      ? [commandHint('You can run it again safely: ', formatChangeOf(context, verb, repeat))]
      : []),
  ]);
}

/** The user's command, with these webhooks as its arguments. */
export function formatChangeOf(context: Context, verb: string, ids: readonly string[]): string {
  // Undo takes no ids: it continues with what is left.
  const operands = verb === 'undo' ? [] : ids;
  return formatRepeatedCommand(context, `webhook ${verb}`, operands, Object.keys(selectionFlags));
}

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
