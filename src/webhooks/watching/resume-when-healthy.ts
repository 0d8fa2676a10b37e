// Resumes webhooks that the service has suspended once their receivers pass all checks (--resume-when-healthy), and no more often
// than a limit: one that passes the checks and fails real deliveries would otherwise be suspended and resumed for ever.
// docs/decisions/resume-when-healthy.md

import type { Context } from '#cli/context.ts';
import { type HistoryEntry, readHistory } from '#cli/history/read-history.ts';
import type { LocalWebhook } from '#cli/local-webhook.ts';
import { eventNames } from '#contract/event.ts';
import { Failure, hintText } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { formatNextCommands } from '../change/change-progress.ts';
import { setStatusNow } from '../change/change-status.ts';
import { describeHook, type Hook, readHook, statusOf } from '../records/hook.ts';
import { findSecret } from '../secrets/find-secret.ts';
import type { CheckResult } from '../verification/check-result.ts';
import { toTarget, type VerifyOptions, type VerifyTarget } from '../verification/receiver-target.ts';
import { withEvents } from '../verification/sample-events.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';
import type { WatchedWebhooks } from './poll.ts';

export const defaultMaxResumes = 3;

export interface ResumeOptions {
  /** How often one webhook is resumed within 24 hours. */
  readonly maxResumes: number;
  /** Between two attempts for one webhook at first; it doubles with each. */
  readonly intervalMs: number;
  readonly verify: VerifyOptions;
}

export interface Resumer {
  /** The webhooks as they are afterwards. Says of each attempt what came of it. Rejects with no {@link Failure} but a bug. */
  resumeHealthy(webhooks: WatchedWebhooks): Promise<WatchedWebhooks>;
}

/** No receiver is verified more seldom than this, unless the interval is longer. */
const longestWaitMs = 15 * 60_000;
/** After this time the next read comes first: a receiver that hangs must not hide what happens to the others. */
const mostMs = 120_000;
/** For one webhook; more than the limit can ask for. */
const mostEntries = 1_000;

/** Why it was not resumed; `isLasting` if only a user can change that, so that it is said once. */
interface Refusal {
  readonly why: string;
  readonly isLasting?: boolean;
}

export function createResumer(context: Context, options: ResumeOptions): Resumer {
  const { world, report } = context;
  const attempts = new Map<string, { readonly count: number; readonly nextAt: number }>();
  /** By id: when this process resumed it. The history may not be writable. */
  const resumes = new Map<string, readonly number[]>();
  const said = new Map<string, string>();

  const findRefusal = async (id: string, local: LocalWebhook | undefined): Promise<Refusal | undefined> => {
    const history = await readChanges(context, id);
    const kept = whyKeptSuspended(local, history);
    if (kept !== undefined) return { why: kept, isLasting: true };
    const now = world.clock.now();
    const own = (resumes.get(id) ?? []).filter((at) => now - at < 24 * 3_600_000).length;
    const count = Math.max(own, countResumes(history, now));
    if (count < options.maxResumes) return undefined;
    const times = count === 1 ? 'once' : `${count} times`;
    return {
      why: `it was resumed ${times} within 24 hours (--max-resumes ${options.maxResumes})`,
      isLasting: true,
    };
  };

  /** The webhook as it is then, or why it was not resumed. */
  const attempt = async (webhook: Hook): Promise<Hook | Refusal> => {
    const { id } = webhook.record;
    const local = (await (await context.webhookRecords()).read()).get(id);
    const refusal = await findRefusal(id, local);
    if (refusal) return refusal;
    const secret = await findSecret(context, { flags: {}, webhookId: id });
    const known = toTarget({ ...webhook, local }, secret?.text);
    // All samples: nobody is there to see the next failure.
    const target = withEvents(known, known.events ?? eventNames);
    const why = whyUnhealthy(await verifyReceiver(context, target, options.verify), target);
    if (why !== undefined) return { why };
    // Verifying takes time, in which somebody may have decided otherwise.
    const now = await readHook(context, id);
    if (statusOf(now) !== 'Suspended') return now;
    const later = await findRefusal(id, now.local);
    if (later) return later;
    const own = [...(resumes.get(id) ?? []), world.clock.now()];
    resumes.set(id, own);
    context.onInterruptHint(() => hintText(formatNextCommands(context, 'resume', [id], [])));
    const effect = `Its receiver passed all checks. wm resumes it at most ${options.maxResumes} times in 24 hours.`;
    return setStatusNow(context, now, { to: 'Active', effect });
  };

  const tryOne = async (webhook: Hook): Promise<Hook> => {
    const { id } = webhook.record;
    const count = (attempts.get(id)?.count ?? 0) + 1;
    const waitMs = Math.max(options.intervalMs, Math.min(longestWaitMs, options.intervalMs * 2 ** count));
    const outcome = await attempt(webhook).catch((error: unknown): Refusal => {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      return { why: error.sentence };
    });
    if ('record' in outcome) {
      attempts.delete(id);
      said.delete(id);
      return outcome;
    }
    attempts.set(id, { count, nextAt: world.clock.monotonic() + waitMs });
    const { why, isLasting = false } = outcome;
    if (!isLasting || said.get(id) !== why)
      await report.warn(sanitizeLine(`Not resumed: ${describeHook(webhook)}: ${why}`));
    said.set(id, why);
    return webhook;
  };

  return {
    async resumeHealthy(webhooks) {
      const after = new Map(webhooks);
      const until = world.clock.monotonic() + mostMs;
      for (const [id, one] of webhooks) {
        const now = world.clock.monotonic();
        if (statusOf(one) !== 'Suspended') attempts.delete(id);
        else if (now < until && now >= (attempts.get(id)?.nextAt ?? now)) after.set(id, await tryOne(one));
      }
      return after;
    },
  };
}

/** @throws {Failure} if the history cannot be read: then nobody knows who suspended it. */
async function readChanges({ world }: Pick<Context, 'world'>, id: string): Promise<readonly HistoryEntry[]> {
  const always = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
  const found = await readHistory(world, { ids: [id], command: undefined, limit: mostEntries, ...always });
  return found.entries;
}

/** Undefined if it is healthy. */
function whyUnhealthy(
  results: readonly CheckResult[],
  { isSigned }: Pick<VerifyTarget, 'isSigned'>,
): string | undefined {
  const failed = results.find(({ outcome }) => outcome === 'fail');
  if (failed) return `its receiver fails a check (${describe(failed)})`;
  const unchecked = results.find(
    ({ check, outcome }) =>
      outcome === 'not-checked' &&
      (check === 'handshake' ? isSigned !== false : check.startsWith('event ') || check === 'events'),
  );
  if (unchecked) return `its receiver could not be checked (${describe(unchecked)})`;
  if (!results.some(({ check, outcome }) => outcome === 'ok' && check.startsWith('event ')))
    return 'its receiver accepted no sample';
  return undefined;
}

function describe({ check, why = 'no reason' }: CheckResult): string {
  return `${check}: ${why}`;
}

/** The commands after which a suspension is one of the service. */
const resumingCommands = ['webhook resume', 'webhook watch'];

/** `history`: the changes of this webhook, the newest last. Undefined if the service alone may have suspended it. */
function whyKeptSuspended(
  local: LocalWebhook | undefined,
  history: readonly HistoryEntry[],
): string | undefined {
  const { note, observed, created, keptSuspended } = local ?? {};
  if (note) return `it has a note by ${note.by}: ${note.text}`;
  if (keptSuspended !== undefined)
    return 'wm webhook suspend was run for it while it was suspended, so it is to stay so';
  const last = lastStatusChange(history);
  if (last && !resumingCommands.includes(last.begun.command))
    return `the last change of it from this machine was wm ${last.begun.command}, so it may be suspended on purpose`;
  if (observed?.byWm === true && observed.status === 'Suspended') return 'wm suspended it from this machine';
  // A suspension that is older than what wm knows may be anyone's.
  if (observed?.before === undefined && created === undefined)
    return 'wm has never seen it active, so somebody may have suspended it on purpose';
  return undefined;
}

/** One that was not made says nothing; a resumption must have been made. */
function lastStatusChange(history: readonly HistoryEntry[]): HistoryEntry | undefined {
  return history.findLast(({ begun, ended }) => {
    if (begun.operation !== 'updateWebhook' || ended?.outcome === 'failed') return false;
    return ended?.outcome === 'done' || !resumingCommands.includes(begun.command);
  });
}

const dayMs = 24 * 3_600_000;

/** How often `wm webhook watch` may have resumed it within the last 24 hours, also in other processes. */
function countResumes(history: readonly HistoryEntry[], now: number): number {
  return history.filter(
    ({ begun, ended }) =>
      begun.command === 'webhook watch' &&
      begun.operation === 'updateWebhook' &&
      ended?.outcome !== 'failed' &&
      now - Date.parse(begun.at) < dayMs,
  ).length;
}
