// Resumes webhooks that the service has suspended once their receivers pass all checks (--resume-when-healthy), and no more often
// than a limit: one that passes the checks and fails real deliveries would otherwise be suspended and resumed for ever.
// docs/decisions/resume-when-healthy.md

import { eventNames } from '../../../contract/event.ts';
import { Failure, hintText } from '../../../failure.ts';
import { sanitizeLine } from '../../../terminal/sanitize.ts';
import type { Context } from '../../context.ts';
import { type HistoryEntry, readHistory } from '../../history/read-history.ts';
import type { LocalWebhook } from '../../webhook-records/local-webhook.ts';
import { formatNextCommands } from '../change/change-progress.ts';
import { setStatusNow } from '../change/change-status.ts';
import { describeHook, type Hook, readHook, statusOf } from '../hook.ts';
import { findSecret } from '../secret/find-secret.ts';
import type { VerifyOptions } from '../verify/receiver-target.ts';
import { withEvents } from '../verify/sample-events.ts';
import { verifyReceiver } from '../verify/verify-receiver.ts';
import { toTarget } from '../verify/webhook-target.ts';
import type { WatchedWebhooks } from './poll.ts';
import { whyUnhealthy } from './receiver-health.ts';
import { countResumes, whyKeptSuspended } from './why-not-resume.ts';

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
