// Suspends and resumes webhooks. In an incident certainty matters: the command shows the account first, and reads the status
// back afterwards, whatever the response was.

import type { Context } from '#cli/context.ts';
import type { NewNote } from '#cli/local-webhook.ts';
import { printAllIfDryRun } from '#cli/send.ts';
import { type WebhookStatus, webhookOperations } from '#contract/webhook.ts';
import { errorMessage, Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { noteOf, toListed } from '../columns.ts';
import { noTitles } from '../coverage.ts';
import type { Selection } from '../matching/choose.ts';
import { readOtherWebhooks, showOtherWebhooks } from '../matching/other-webhooks.ts';
import { describeHook, type Hook, hookSubject, readHook } from '../records/hook.ts';
import { type ChangeWords, capitalize, changeEach, formatNextCommands } from './change-each.ts';
import { confirmTargets, describeDeliveries, showKnownAccount } from './confirm.ts';

export interface StatusChange {
  readonly to: WebhookStatus;
  /** The end of the report, if the usual one does not fit. */
  readonly effect?: string;
  readonly note?: NewNote | undefined;
}

const wordsOf: Readonly<Record<WebhookStatus, ChangeWords>> = {
  Suspended: { to: 'Suspended', verb: 'suspend', done: 'suspended' },
  Active: { to: 'Active', verb: 'resume', done: 'resumed' },
};

const effectOf: Readonly<Record<WebhookStatus, string>> = {
  Suspended: 'It delivers nothing until you resume it.',
  Active: 'Its deliveries start again.',
};

interface CommandChange extends StatusChange {
  /** Checks the chosen webhooks and prints warnings; true if the user must confirm because of them. */
  readonly check?: (hooks: readonly Hook[]) => Promise<boolean>;
  /** Gets the webhooks whose status was to change, as they were before. */
  readonly conclude?: (hooks: readonly Hook[]) => Promise<void>;
}

export async function changeStatuses(
  context: Context,
  { hooks, isGuess, listed, withoutId }: Selection,
  { check, conclude, ...change }: CommandChange,
): Promise<void> {
  const { to, note } = change;
  const { verb } = wordsOf[to];
  const isToChange = ({ record }: Hook) => record.status !== to;
  const requests = hooks.map(({ record }) => ({
    path: { webhookId: record.id },
    parameters: { status: to },
  }));
  if (await printAllIfDryRun(context, webhookOperations.updateWebhook, requests)) return;
  let mayBeOld = false;
  await changeEach<Hook>(context, hooks, {
    withoutId,
    words: wordsOf[to],
    // A resume records each webhook's note in the history, one change at a time.
    mayOverlap: to === 'Suspended',
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
      // Starts reading the user's name meanwhile; it never rejects.
      if (webhooks.length > 0) void note?.by();
      return { added, others };
    },
    async run(webhook) {
      // It may have changed while the user was answering.
      const isAlready = webhook.record.status === to;
      const now = isAlready && mayBeOld ? await readHook(context, webhook.record.id) : webhook;
      if (now.record.status !== to) return setStatus(context, now, change);
      const name = describeHook(now).replace(/^webhook/, 'Webhook');
      const but = note === undefined ? 'Nothing was changed.' : `Only its note is new: ${note.text}.`;
      await context.report.info(sanitizeLine(`${name} is already ${to}. ${but}`));
      await learnStatus(context, now, false, note);
      return now;
    },
    ...(conclude && { conclude: (targets) => conclude(targets.filter(isToChange)) }),
    show: async (changed) =>
      context.report.each(await toListed(context, changed, false, changed.length > 1 ? undefined : noTitles)),
  });
}

/** Sends the change, reads it back, reports and records it. The caller saves the record. */
export async function setStatus(context: Context, before: Hook, change: StatusChange): Promise<Hook> {
  if (change.to === 'Active') await moveNoteToHistory(context, before);
  const after = await sendStatus(context, before, change);
  await learnStatus(context, after, true, change.note);
  return after;
}

export async function setStatusAndSave(context: Context, before: Hook, change: StatusChange): Promise<Hook> {
  const after = await setStatus(context, before, change);
  await (await context.webhookRecords()).save();
  return after;
}

export async function sendStatus(context: Context, before: Hook, change: StatusChange): Promise<Hook> {
  const { to, effect = effectOf[to] } = change;
  const { verb, done } = wordsOf[to];
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

/**
 * Records the status, so that a list can say since when, by whom and why. `changed`: this command made the change. A note
 * explains one suspension, so a change of the status removes it.
 */
export async function learnStatus(
  context: Context,
  hook: Hook,
  changed: boolean,
  newNote?: NewNote,
): Promise<void> {
  const { id, status } = hook.record;
  const records = await context.webhookRecords();
  await records.learnStatuses([hook], changed);
  const at = new Date(context.world.clock.now()).toISOString();
  if (newNote) context.onLocalChange();
  const addedNote = newNote && { text: newNote.text, by: await newNote.by(), at };
  await records.learn('the note', id, ({ note: lastNote, keptSuspended: lastKept, ...rest } = {}) => {
    if (status === 'Active') return rest;
    const note = addedNote ?? (changed ? undefined : lastNote);
    const keptSuspended = lastKept ?? (changed ? undefined : at);
    return { ...rest, ...omitUndefined({ note, keptSuspended }) };
  });
}

async function moveNoteToHistory(context: Context, hook: Hook): Promise<void> {
  const note = noteOf(hook);
  const history = await context.history();
  const entry = context.world.secrets.redactCredentials(`resumed although it had a note: ${note}`);
  history.setNote(note === '' ? undefined : entry);
  if (note !== '') await context.report.warnOnce(`${hookSubject(hook)} has a note: ${note}.`);
}
