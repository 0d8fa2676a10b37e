// Suspends and resumes webhooks. In an incident certainty matters: the command shows the account first, and reads the status
// back afterwards, whatever the response was.

import type { Context } from '#cli/context.ts';
import { printIfDryRun } from '#cli/send.ts';
import { type WebhookStatus, webhookOperations } from '#contract/webhook.ts';
import { errorMessage, Failure } from '#failure.ts';
import type { WebhookChange, WebhookState } from '#local-records/history/history-log.ts';
import type { LocalWebhook, LocalWebhooks, NewNote } from '#local-records/local-webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { noteOf, toListed } from '../columns.ts';
import { noTitles } from '../coverage.ts';
import type { Selection } from '../matching/choose.ts';
import { readOtherWebhooks, showOtherWebhooks } from '../matching/other-webhooks.ts';
import { describeHook, type Hook, hookSubject, listHooks, readHook, stateOf } from '../records/hook.ts';
import { type ChangeWords, capitalize, changeEach, formatNextCommands } from './change-each.ts';
import { confirmTargets, describeDeliveries, showKnownAccount } from './confirm.ts';

interface StatusChange {
  readonly to: WebhookStatus;
  /** The end of the report, if the usual one does not fit. */
  readonly effect?: string;
  readonly note?: NewNote | undefined;
  /** What an undo puts back, and what the history has of it. */
  readonly restored?: Partial<WebhookChange> & { readonly after: WebhookState };
}

const wordsOf: Readonly<Record<WebhookStatus, ChangeWords & { readonly effect: string }>> = {
  Suspended: {
    ...{ to: 'Suspended', verb: 'suspend', done: 'suspended' },
    effect: 'It delivers nothing until you resume it.',
  },
  Active: { to: 'Active', verb: 'resume', done: 'resumed', effect: 'Its deliveries start again.' },
};

/** Other processes wait meanwhile. */
const rereadMs = 10_000;

interface CommandChange extends StatusChange {
  /** False if only a webhook whose status changes gets the note. */
  readonly changesNotes?: boolean;
  /** Checks the chosen webhooks and prints warnings; true if the user must confirm because of them. */
  readonly check?: (hooks: readonly Hook[]) => Promise<boolean>;
  /** Gets the webhooks whose status was to change, as they were before. */
  readonly conclude?: (hooks: readonly Hook[]) => Promise<void>;
}

export async function changeStatuses(
  context: Context,
  { hooks, isGuess, listed, withoutId }: Selection,
  { check, conclude, changesNotes = true, ...change }: CommandChange,
): Promise<void> {
  const { to, note } = change;
  const { verb } = wordsOf[to];
  const isToChange = ({ record }: Hook) => record.status !== to;
  const isToNote = (hook: Hook) => note !== undefined && changesNotes && !isToChange(hook);
  if (context.isDryRun) return showStatusChanges(context, hooks, { ...change, changesNotes }, isToChange);
  let mayBeOld = false;
  let hasOnlyNoted = false;
  await changeEach<Hook>(context, hooks, {
    withoutId,
    words: wordsOf[to],
    async confirm(webhooks) {
      await (await context.webhookRecords()).learnStatuses(webhooks);
      const toChange = webhooks.filter(isToChange);
      mayBeOld = toChange.length > 0;
      const mustConfirm = await check?.(toChange);
      const hasNote = to === 'Active' && toChange.some((hook) => noteOf(hook) !== '');
      const others = await readOtherWebhooks(context, webhooks, listed);
      let added: readonly Hook[] = [];
      // A user who picks from a list may have meant the line above.
      if (to === 'Suspended' || isGuess || mustConfirm || hasNote)
        added = await confirmTargets(context, { verb, hooks: toChange, others, canAdd: isToChange });
      else {
        if (toChange.length > 0) await showKnownAccount(context, toChange);
        if (others) await showOtherWebhooks(context, others, describeDeliveries);
      }
      if (added.length > 0 && (await check?.(added))) await confirmTargets(context, { verb, hooks: added });
      const toNote = webhooks.filter(isToNote);
      if (!context.common.yes) await confirmTargets(context, { verb: 'add the note to', hooks: toNote });
      // Starts reading the user's name meanwhile; it never rejects.
      if (webhooks.length > 0) void note?.by();
      return { added, others };
    },
    async run(webhook, context) {
      // It may have changed while the user was answering.
      const isAlready = webhook.record.status === to;
      const now = isAlready && mayBeOld ? await readHook(context, webhook.record.id) : webhook;
      if (now.record.status !== to) return setStatus(context, now, change);
      const but = isToNote(now) ? `Only its note is new: ${note?.text}.` : 'Nothing was changed.';
      const kept = isToNote(now) && noteOf(now) !== '' ? ` It keeps this one too: ${noteOf(now)}.` : '';
      const name = describeHook(now).replace(/^webhook/, 'Webhook');
      await context.report.info(sanitizeLine(`${name} is already ${to}. ${but}${kept}`));
      hasOnlyNoted ||= isToNote(now);
      if (isToNote(now)) return setStatus(context, now, change);
      await learnStatus(context, now, false);
      return now;
    },
    ...(conclude && { conclude: (targets) => conclude(targets.filter(isToChange)) }),
    needsRecords: () => hasOnlyNoted,
    show: async (changed) =>
      context.report.each(await toListed(context, changed, false, changed.length > 1 ? undefined : noTitles)),
  });
}

/** The status of a webhook that only its id names is not known. */
async function showStatusChanges(
  context: Context,
  hooks: readonly Hook[],
  { to, note, changesNotes }: CommandChange,
  isToChange: (hook: Hook) => boolean,
): Promise<void> {
  const toChange = hooks.filter(isToChange);
  for (const hook of hooks)
    if (!isToChange(hook)) await context.report.info(sanitizeLine(`${hookSubject(hook)} is already ${to}.`));
  if (note && (changesNotes || toChange.length > 0))
    await context.report.info(sanitizeLine(`The note, on this machine: ${note.text}`));
  const requestOf = ({ record }: Hook) => ({ path: { webhookId: record.id }, parameters: { status: to } });
  await printIfDryRun(context, webhookOperations.updateWebhook, toChange.map(requestOf));
}

/** Sends the change, unless only the records change; reads it back, reports and records it. The caller saves the record. */
export async function setStatus(context: Context, before: Hook, options: StatusChange): Promise<Hook> {
  const { to, note, restored } = options;
  const { id, hookUrl, status } = before.record;
  const { world, report } = context;
  const state = stateOf(before);
  const kept = to === 'Active' ? undefined : state.note;
  const added = note && addNote(before, note.text, '', new Date(world.clock.now()).toISOString());
  const after = omitUndefined({ ...state, status: to, note: added ?? kept });
  const lost = to === 'Active' && !restored ? noteOf(before) : '';
  if (lost !== '') await report.warnOnce(`${hookSubject(before)} has a note: ${lost}.`);
  const entry = lost && world.secrets.redactCredentials(`resumed although it had a note: ${lost}`);
  const history = await context.history();
  history.describe(id, { url: hookUrl, before: state, after, ...restored }, entry || undefined);
  const isSent = status !== to;
  const hook = isSent ? await sendStatus(context, before, options) : before;
  if (!isSent) await history.recordLocal('recordWebhook', [id]);
  await learnStatus(context, hook, isSent, note, restored?.after);
  return hook;
}

/** A new note never replaces another of the same suspension. */
function addNote(hook: Hook, text: string, by: string, at: string) {
  return { text: [noteOf(hook), text].filter(Boolean).join('; '), by, at };
}

export async function setStatusAndSave(context: Context, before: Hook, change: StatusChange): Promise<Hook> {
  const after = await setStatus(context, before, change);
  await (await context.webhookRecords()).save();
  return after;
}

async function sendStatus(context: Context, before: Hook, change: StatusChange): Promise<Hook> {
  const { to } = change;
  const { verb, done, effect } = { ...wordsOf[to], ...omitUndefined({ effect: change.effect }) };
  const { id } = before.record;
  const next = () => formatNextCommands(context, verb, [id], [id]);
  const unknown = (message: string, why: string | undefined, cause: unknown) =>
    new Failure('outcome_unknown', { message, why, hint: next(), cause });
  const session = await context.session();
  const sent = await session
    .send(webhookOperations.updateWebhook, { webhookId: id }, { status: to })
    .catch((error: unknown) => {
      // Reading it back shows whether the change was made.
      if (error instanceof Failure && error.code === 'outcome_unknown') return error;
      throw error;
    });
  const after = await readHook(context, id).catch((error: unknown) => {
    const isConfirmed = !(sent instanceof Failure) && sent.records[0]?.status === to;
    const progress = isConfirmed ? `the service responded that it is ${to}` : 'the change was sent';
    const cause = sent instanceof Failure ? sent : error;
    throw unknown(
      `${hookSubject(before)}: ${progress}, but its status could not be read back`,
      errorMessage(cause),
      cause,
    );
  });
  const { status } = after.record;
  if (status !== to && sent instanceof Failure)
    throw unknown(
      `${hookSubject(after)} is still ${status ?? 'without a status'}, and the change to ${to} may yet take effect`,
      sent.why,
      sent,
    );
  if (status !== to)
    throw new Failure('bad_response', {
      message: `${hookSubject(after)} is ${status ?? 'without a status'}, not ${to}`,
      why: `${status ? `the status was read back as ${status}` : 'the webhook was read back without a status'}; the change may have been undone by another user`,
      hint: next(),
    });
  if (sent instanceof Failure) await (await context.history()).settle(id);
  await context.report.info(
    `${capitalize(done)}: ${describeHook(after)}, read back from the service. ${effect}`,
  );
  return after;
}

/** Records the status. `changed`: by this command. A note explains one suspension, so a change removes it, unless it is restored too. */
export async function learnStatus(
  context: Context,
  hook: Hook,
  changed: boolean,
  newNote?: NewNote,
  restored?: WebhookState,
): Promise<void> {
  const { id, status } = hook.record;
  const records = await context.webhookRecords();
  await records.learnStatuses([hook], changed);
  const at = new Date(context.world.clock.now()).toISOString();
  if (newNote || restored) context.onLocalChange();
  let isResumed = false;
  const by = (await newNote?.by()) ?? '';
  const change = (last: LocalWebhook = {}, _id: string, _all: LocalWebhooks, statusNow = status) => {
    const { note: lastNote, keptSuspended: lastKept, ...rest } = last;
    isResumed = statusNow === 'Active' && status !== 'Active';
    if (statusNow === 'Active') return rest;
    const now = { record: { id, ...omitUndefined({ status: statusNow }) }, local: last };
    const kept = changed ? stateOf(now).note : lastNote;
    const old = restored ? restored.note && { ...restored.note, restored: at } : kept;
    const note = newNote ? addNote(now, newNote.text, by, at) : old;
    const keptSuspended = lastKept ?? (changed ? undefined : at);
    return { ...rest, ...omitUndefined({ note, keptSuspended }) };
  };
  await records.learn('the note', id, change, async () => {
    const listed = await listHooks(context, rereadMs).catch(() => undefined);
    return new Map(listed?.hooks.map(({ record }) => [record.id, record.status]));
  });
  if (newNote || restored?.note)
    context.atEnd(async () => {
      if (isResumed)
        await context.report.warn(
          `${hookSubject(hook)} was resumed by someone else meanwhile: it has no note.`,
        );
    });
}
