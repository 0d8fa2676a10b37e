// Resumes webhooks that the service suspended once their receivers pass all checks (--resume-when-healthy). A limit stops the
// cycle of a receiver that passes the checks and fails real deliveries. See docs/decisions/resume-when-healthy.md.

import type { Context } from '#cli/context.ts';
import { eventNames } from '#contract/event.ts';
import { hintText, toFailure } from '#failure.ts';
import type { HistoryEntry } from '#local-records/history/read-history.ts';
import type { LocalWebhook } from '#local-records/local-webhook.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { formatNextCommands } from '../change/change-each.ts';
import { setStatusAndSave } from '../change/change-status.ts';
import { settingsOf } from '../coverage.ts';
import { readHistoryOf } from '../diagnosis/diagnosis.ts';
import { describeHook, type Hook, readHook } from '../records/hook.ts';
import { findSecret } from '../secrets/find-secret.ts';
import { type CheckResult, describeFinding } from '../verification/check-result.ts';
import { preventsDelivery } from '../verification/handshake-checks.ts';
import {
  subscribedEvents,
  toTarget,
  type VerifyOptions,
  type VerifyTarget,
} from '../verification/verify-flags.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';

export const defaultMaxResumes = 3;

interface ResumeOptions {
  readonly maxResumes: number;
  /** The first wait between two attempts for one webhook; it doubles with each attempt. */
  readonly intervalMs: number;
  readonly verify: VerifyOptions;
}

/** The longest wait between two attempts, unless the interval is longer. */
const longestWaitMs = 15 * 60_000;
/** After this time the next read goes first: a hanging receiver must not hide changes of other webhooks. */
const maxMs = 120_000;
const dayMs = 24 * 3_600_000;
/** History entries for one webhook; more than the limit can need. */
const mostEntries = 1_000;

/** Why a webhook was not resumed; `isLasting` if only a user can change that, so that it is reported once. */
interface Refusal {
  readonly why: string;
  readonly isLasting?: boolean;
}

/** The function returns the webhooks after the attempts, and reports each outcome. It rejects only for a bug. */
export function createResumer(context: Context, options: ResumeOptions) {
  const { world, report } = context;
  /** The attempts for each webhook that is still suspended, by id, and why the last one failed. */
  const attempts = new Map<string, { count: number; nextAt: number; why: string }>();
  /** When this process resumed each webhook, by id: the history may not be writable. */
  const resumes = new Map<string, readonly number[]>();

  /** Why wm may not resume it now, whatever its receiver does. */
  const findRefusal = async (id: string, local: LocalWebhook = {}): Promise<Refusal | undefined> => {
    // Fails if it cannot be read: without it, wm cannot tell who suspended the webhook.
    const history = await readHistoryOf(world, id, mostEntries);
    const now = world.clock.now();
    const ownCount = (resumes.get(id) ?? []).filter((at) => now - at < dayMs).length;
    const count = Math.max(ownCount, countResumes(history, now));
    const times = count === 1 ? 'once' : `${count} times`;
    // Anyone may have made a suspension that is older than wm's records.
    const isSeenActive = (local.observed?.before ?? local.created) !== undefined;
    const why =
      whyKeptSuspended(local, {}, history) ||
      (!isSeenActive && 'wm has never seen it active, so a user may have suspended it on purpose') ||
      (count >= options.maxResumes &&
        `it was resumed ${times} within 24 hours (--max-resumes ${options.maxResumes})`);
    return why ? { why, isLasting: true } : undefined;
  };

  const attempt = async (webhook: Hook): Promise<Hook | Refusal> => {
    const { id } = webhook.record;
    const local = (await (await context.webhookRecords()).read()).get(id);
    const refusal = await findRefusal(id, local);
    if (refusal) return refusal;
    const secret = await findSecret(context, { flags: {}, webhookId: id });
    const hook = { ...webhook, local };
    // Sends all samples: no user is present to see the next failure.
    const target = toTarget(hook, secret?.text, subscribedEvents(settingsOf(hook)) ?? eventNames);
    const why = whyUnhealthy(await verifyReceiver(context, target, options.verify), target);
    if (why !== undefined) return { why };
    // Verifying takes time, during which another user may change the webhook.
    const now = await readHook(context, id);
    if (now.record.status !== 'Suspended') return now;
    const later = await findRefusal(id, now.local);
    if (later) return later;
    resumes.set(id, [...(resumes.get(id) ?? []), world.clock.now()]);
    context.onInterruptHint(() => hintText(formatNextCommands(context, 'resume', [id], [])));
    const effect = `Its receiver passed all checks. wm resumes it at most ${options.maxResumes} times in 24 hours.`;
    return setStatusAndSave(context, now, { to: 'Active', effect });
  };

  const tryResume = async (webhook: Hook): Promise<Hook> => {
    const { id } = webhook.record;
    const last = attempts.get(id);
    const count = (last?.count ?? 0) + 1;
    const waitMs = Math.max(options.intervalMs, Math.min(longestWaitMs, options.intervalMs * 2 ** count));
    const outcome = await attempt(webhook).catch((error: unknown): Refusal => {
      const { code, sentence } = toFailure(error);
      if (code === 'internal') throw error;
      return { why: sentence };
    });
    if ('record' in outcome) {
      attempts.delete(id);
      return outcome;
    }
    const { why, isLasting = false } = outcome;
    attempts.set(id, { count, nextAt: world.clock.monotonic() + waitMs, why });
    if (!isLasting || last?.why !== why)
      await report.warn(sanitizeLine(`Not resumed: ${describeHook(webhook)}: ${why}`));
    return webhook;
  };

  return async (webhooks: ReadonlyMap<string, Hook>): Promise<ReadonlyMap<string, Hook>> => {
    const after = new Map(webhooks);
    const until = world.clock.monotonic() + maxMs;
    for (const [id, webhook] of webhooks) {
      const now = world.clock.monotonic();
      if (webhook.record.status !== 'Suspended') attempts.delete(id);
      else if (now < until && now >= (attempts.get(id)?.nextAt ?? now))
        after.set(id, await tryResume(webhook));
    }
    return after;
  };
}

function whyUnhealthy(results: readonly CheckResult[], { isSigned }: Pick<VerifyTarget, 'isSigned'>) {
  const failed = results.find(preventsDelivery);
  if (failed) return `its receiver fails a check (${describeFinding(failed)})`;
  const unchecked = results.find(
    ({ check, outcome }) =>
      outcome === 'not-checked' &&
      (check === 'handshake' ? isSigned !== false : check.startsWith('event ') || check === 'events'),
  );
  if (unchecked) return `its receiver could not be checked (${describeFinding(unchecked)})`;
  if (!results.some(({ check, outcome }) => outcome === 'ok' && check.startsWith('event ')))
    return 'its receiver accepted no sample';
  return undefined;
}

/** The commands that resume: a suspension after one of them is the service's. */
const resumingCommands = ['webhook resume', 'webhook watch'];

/** Why a user may want it to stay suspended. `known`: the record when a user decided to resume it. `history`: its changes, newest last. */
export function whyKeptSuspended(
  { note, keptSuspended, observed }: LocalWebhook = {},
  known: LocalWebhook = {},
  history: readonly HistoryEntry[] = [],
): string | undefined {
  if (note && note.at !== known.note?.at) return `it has a note by ${note.by}: ${note.text}`;
  if (keptSuspended !== known.keptSuspended && keptSuspended !== undefined)
    return 'wm webhook suspend was run for it while it was suspended, so it is to stay suspended';
  const last = lastStatusChange(history);
  if (last && !resumingCommands.includes(last.begun.command))
    return `its last change from this machine was wm ${last.begun.command}, so it may be suspended on purpose`;
  const isByWm = observed?.byWm === true && observed.status === 'Suspended';
  const isNew = !known.observed?.byWm || observed?.since !== known.observed.since;
  return isByWm && isNew ? 'wm suspended it from this machine' : undefined;
}

/** Ignores failed changes, and resumptions with an unknown outcome. */
function lastStatusChange(history: readonly HistoryEntry[]): HistoryEntry | undefined {
  return history.findLast(({ begun, ended }) => {
    if (begun.operation !== 'updateWebhook' || ended?.outcome === 'failed') return false;
    return ended?.outcome === 'done' || !resumingCommands.includes(begun.command);
  });
}

/** How often `wm webhook watch` may have resumed the webhook within the last 24 hours, in any process. */
function countResumes(history: readonly HistoryEntry[], now: number): number {
  return history.filter(
    ({ begun, ended }) =>
      begun.command === 'webhook watch' &&
      begun.operation === 'updateWebhook' &&
      ended?.outcome !== 'failed' &&
      now - Date.parse(begun.at) < dayMs,
  ).length;
}
