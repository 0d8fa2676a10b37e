// Records on this machine what a command has just done to webhooks, so that a list can say since when, by whom and why. What
// cannot be recorded is a warning: the change was made.

import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import type { FormatContext } from '../../format-command.ts';
import type { LocalWebhook, LocalWebhooks, NewNote, SuspendNote } from '../local/local-webhook.ts';
import { changeLocalWebhooks } from '../local/local-webhooks.ts';
import { observeWebhooks } from '../local/observe.ts';
import type { ReadWebhook } from '../select/read-webhook.ts';

type Needs = Pick<Context, 'world' | 'account' | 'report'>;

/** A webhook that was read back; `changed` if this command has made its status so. */
export interface Recorded {
  readonly webhook: ReadWebhook;
  readonly changed: boolean;
}

/**
 * The statuses and the notes. A note is about one suspension: none survives a change of the status. `known` was read before;
 * returns what is known then.
 */
export async function recordStatuses(
  context: Needs,
  recorded: readonly Recorded[],
  newNote: NewNote | undefined,
  known: LocalWebhooks,
): Promise<LocalWebhooks> {
  const records = (changed: boolean) =>
    recorded.flatMap((one) => (one.changed === changed ? [one.webhook.record] : []));
  const seen = await observeWebhooks(context, records(false), false, known);
  const local = await observeWebhooks(context, records(true), true, seen);
  const at = new Date(context.world.clock.now()).toISOString();
  const note = newNote && { text: newNote.text, by: await newNote.by(), at };
  const noteOf = ({ webhook: { record }, changed }: Recorded): SuspendNote | undefined => {
    if (record.status === 'Active') return undefined;
    return note ?? (changed ? undefined : local.get(record.id)?.note);
  };
  const keptOf = ({ webhook: { record }, changed }: Recorded): string | undefined => {
    if (record.status === 'Active') return undefined;
    return local.get(record.id)?.keptSuspended ?? (changed ? undefined : at);
  };
  const kept = new Map(recorded.map((one) => [one.webhook.record.id, keptOf(one)]));
  const notes = new Map(recorded.map((one) => [one.webhook.record.id, noteOf(one)]));
  const differing = [...notes.keys()].filter((id) => {
    const { note: noteBefore, keptSuspended } = local.get(id) ?? {};
    return noteBefore !== notes.get(id) || keptSuspended !== kept.get(id);
  });
  const withNote = (last: LocalWebhook | undefined, id: string): LocalWebhook => {
    const { note: _note, keptSuspended: _kept, ...rest } = last ?? {};
    const [one, keptSuspended] = [notes.get(id), kept.get(id)];
    return {
      ...rest,
      ...(one === undefined ? {} : { note: one }),
      ...(keptSuspended === undefined ? {} : { keptSuspended }),
    };
  };
  const isStored = await changeOrWarn(context, 'the note', differing, withNote);
  if (!isStored) return local;
  return new Map([...local, ...differing.map((id) => [id, withNote(local.get(id), id)] as const)]);
}

/** That a receiver has suspended the webhook at its end, after its status was recorded: the next receiver resumes it. */
export async function recordEnd(context: Needs, id: string): Promise<void> {
  const suspendedAtEnd = new Date(context.world.clock.now()).toISOString();
  await changeOrWarn(context, 'that this receiver suspended the webhook', [id], (known) => ({
    ...known,
    suspendedAtEnd,
  }));
}

interface DeletedWebhook {
  readonly id: string;
  /** False if the service accepted the deletion, and nobody could look again. */
  readonly isConfirmed: boolean;
}

/**
 * Nothing is worth knowing about a webhook that was deleted, and nothing is left to sign or check with its stored secret: that is
 * removed too once the deletion is confirmed, unless it is one of `keptSecrets`.
 */
export async function forgetWebhooks(
  context: Needs & FormatContext,
  deleted: readonly DeletedWebhook[],
  local: LocalWebhooks,
  keptSecrets: ReadonlySet<string> = new Set(),
): Promise<void> {
  const known = deleted.flatMap(({ id }) => (local.has(id) ? [id] : []));
  await changeOrWarn(context, 'that webhooks were deleted', known, () => undefined);
  const unused = deleted.filter(({ id }) => !keptSecrets.has(id));
  const idsOf = (isConfirmed: boolean) =>
    unused.flatMap((one) => (one.isConfirmed === isConfirmed ? [one.id] : []));
  // It loads node:crypto, which suspending needs not.
  const { removeStoredSecrets, reportKeptSecrets } = await import('../secret/remove-secrets.ts');
  await removeStoredSecrets(context, idsOf(true));
  await reportKeptSecrets(context, idsOf(false));
}

async function changeOrWarn(
  context: Needs,
  what: string,
  ids: readonly string[],
  change: (known: LocalWebhook | undefined, id: string) => LocalWebhook | undefined,
): Promise<boolean> {
  if (ids.length === 0) return false;
  try {
    await changeLocalWebhooks(context, ids, change);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.report.warnOnce(`Cannot record ${what}: ${error.sentence}`);
    return false;
  }
}

const writeAgainMs = 500;

export interface Batch<T> {
  add(item: T): Promise<void>;
  flush(): Promise<void>;
}

/**
 * Writes the first item at once, and of many at most twice a second: each write replaces the whole file. So an interruption
 * loses the record of half a second, and not of all.
 */
export function createBatch<T>(
  { clock }: Pick<Context['world'], 'clock'>,
  write: (items: readonly T[]) => Promise<void>,
): Batch<T> {
  let waiting: readonly T[] = [];
  let last = Number.NEGATIVE_INFINITY;
  const flush = async () => {
    const items = waiting;
    waiting = [];
    if (items.length > 0) await write(items);
    last = clock.monotonic();
  };
  return {
    flush,
    async add(item) {
      waiting = [...waiting, item];
      if (clock.monotonic() - last >= writeAgainMs) await flush();
    },
  };
}
