// Checks the status of this receiver's webhook, at the start and then every minute: nothing else would say why no delivery comes. With
// --suspend-when-unreachable, suspends it while the receiver cannot be reached, so that no delivery fails. Resumes it afterwards, or if the
// user wants it: with --resume, also one that is suspended later. Never resumes what another user has suspended or changed meanwhile.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { isNotFound } from '#client/response.ts';
import type { Webhook, WebhookStatus } from '#contract/webhook.ts';
import { Failure } from '#failure.ts';
import { setStatusAndSave } from '#webhooks/change/change-status.ts';
import { showMissed } from '#webhooks/change/missed-events.ts';
import { describeHook, type Hook, readHook } from '#webhooks/records/hook.ts';
import { defaultMaxResumes, whyKeptSuspended } from '#webhooks/watching/resume-when-healthy.ts';
import { failuresThatCount, leadsTo } from './watch-way-in.ts';

export type StatusWatch = ReturnType<typeof createStatusWatch>;

export interface StatusWatchOptions {
  /** When to resume the webhook: `once`, only if it is suspended at the start; `always`, later too. */
  readonly resumeWhen: 'never' | 'once' | 'always';
  readonly webhookAtStart: Hook | undefined;
  /** Whether to suspend the webhook while its URL does not reach this receiver. */
  readonly suspends: boolean;
  /** The URL at which this receiver is reached now. */
  readonly publicUrl: () => string;
}

type Intent = 'suspend' | 'resume' | 'read the status of';

const dayMs = 86_400_000;
const missedEvents = 'Events that occurred while it was suspended are not delivered.';

export function createStatusWatch(
  context: Context,
  webhook: Hook,
  { resumeWhen, webhookAtStart, suspends, publicUrl }: StatusWatchOptions,
) {
  const { report, world } = context;
  const { id } = webhook.record;
  const name = describeHook(webhook);
  const resumeHint = `To resume it: ${formatCommandWith(context, 'webhook resume', [id])}`;
  let status = webhook.record.status;
  /** Not active since the start. */
  let isFirst = status === 'Suspended';
  /** What this machine knew of the suspension when the user, or this receiver, decided on it. A note must have been seen. */
  const { note: _, ...localAtStart } = webhook.local ?? {};
  let known = isFirst ? (webhookAtStart ? webhookAtStart.local : localAtStart) : undefined;
  /** Whether this receiver has suspended it; `sent`: the outcome of the request is unknown. */
  let own: 'no' | 'sent' | 'suspended' = 'no';
  /** What the user was warned of since it was active. */
  const warnings = new Set<Intent | 'suspended' | 'already' | 'waiting' | 'gone'>();
  let resumedAt: readonly number[] = [];

  const warnOnce = async (kind: Parameters<typeof warnings.add>[0], text: string) => {
    if (!warnings.has(kind)) await report.warn(text);
    warnings.add(kind);
  };
  const whyNotResume = ({ record, local }: Hook): string | undefined => {
    const reason = whyKeptSuspended(local, known) ?? whyElsewhere(record, publicUrl());
    if (reason !== undefined || own !== 'no') return reason;
    resumedAt = resumedAt.filter((at) => world.clock.now() - at < dayMs);
    return resumedAt.length < defaultMaxResumes
      ? undefined
      : `wm resumed it ${defaultMaxResumes} times within 24 hours`;
  };
  /** Leaves a failure of the service to the next check: warns of it, and returns undefined. */
  const attempt = async (intent: Intent, action: () => Promise<Hook>): Promise<Hook | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      const isChange = intent !== 'read the status of';
      if (isNotFound(error)) {
        own = 'no';
        const effect = isChange ? `there is nothing to ${intent}` : 'nothing is delivered to this receiver';
        await warnOnce('gone', `Webhook ${id} no longer exists: ${effect}.`);
        return undefined;
      }
      if (intent === 'suspend' && error.meaning.changed === 'unknown') own = 'sent';
      const look = `To look at it: ${formatCommandWith(context, 'webhook get', [id])}`;
      const sentence = `Cannot ${intent} ${name}: ${error.sentence}. wm tries again every minute.`;
      await warnOnce(intent, isChange ? `${sentence}\n${look}` : sentence);
      return undefined;
    }
  };
  /** Returns false, after a warning, if the service fails. */
  const change = async (hook: Hook, to: WebhookStatus, effect: string): Promise<boolean> => {
    const intent = to === 'Suspended' ? 'suspend' : 'resume';
    if (!(await attempt(intent, () => setStatusAndSave(context, hook, { to, effect })))) return false;
    status = to;
    isFirst = false;
    warnings.clear();
    return true;
  };
  const suspend = async (hook: Hook) => {
    if (!warnings.has('suspend'))
      await report.warn(`The way in does not work, so wm suspends ${name} before deliveries fail.`);
    if (!(await change(hook, 'Suspended', 'wm resumes it when the way in works again.'))) return;
    own = 'suspended';
    known = (await (await context.webhookRecords()).read()).get(id);
  };
  const resume = async (hook: Hook) => {
    const wasFirst = isFirst;
    const why =
      own === 'no'
        ? `${name} was suspended, so wm resumes it.`
        : `The way in works again, so wm resumes ${name}.`;
    if (!wasFirst && !warnings.has('resume')) await report.warn(why);
    if (!(await change(hook, 'Active', missedEvents))) return;
    if (own === 'no') resumedAt = [...resumedAt, world.clock.now()];
    own = 'no';
    if (!wasFirst) await showMissed(context, [hook]);
  };
  const reportActive = async (isReachable: boolean) => {
    warnings.delete('suspend');
    if (own === 'suspended' && isReachable)
      await report.info(`${name} is active again: another user or program resumed it.`);
    else if (warnings.size > 0) await report.info(`${name} is ${status} again.`);
    if (isReachable) own = 'no';
    isFirst = false;
    known = undefined;
    warnings.clear();
  };

  return {
    /** The status at the last check; undefined if the check failed. */
    status: () => status,
    /** True if this receiver suspended the webhook, or may have. */
    hasSuspended: () => own !== 'no',
    /**
     * Reports each change of the status once. A {@link Failure} of the service is only a warning. `failures`: how many checks of the way
     * in have failed in a row.
     */
    async check(failures: number) {
      const isReachable = failures === 0;
      const isToSuspend = suspends && failures >= failuresThatCount && own !== 'suspended';
      const isToResume = isReachable && own !== 'no';
      const intent = isToSuspend ? 'suspend' : isToResume ? 'resume' : 'read the status of';
      const current = await attempt(intent, () => readHook(context, id));
      status = current?.record.status;
      if (!current) return;
      await (await context.webhookRecords()).observe([current]);
      if (status !== 'Suspended') return isToSuspend ? suspend(current) : reportActive(isReachable);
      warnings.delete('read the status of');
      if (isToSuspend && own === 'sent') own = 'suspended';
      if (own !== 'no' && !isReachable) return;
      if (isToSuspend) await warnOnce('already', `${name} is already suspended; wm leaves it suspended.`);
      const sentence = isFirst
        ? `${name} is suspended, so nothing will be delivered.`
        : `${name} was suspended: nothing is delivered to this receiver.`;
      if (own === 'no' && (resumeWhen === 'never' || (resumeWhen === 'once' && !isFirst)))
        return warnOnce('suspended', `${sentence}${describeNote(current)}\n${resumeHint}`);
      const reason = whyNotResume(current);
      if (reason !== undefined) {
        own = 'no';
        return warnOnce('suspended', `${sentence} wm does not resume it: ${reason}.\n${resumeHint}`);
      }
      if (isReachable) return resume(current);
      await warnOnce('waiting', `${sentence}\nwm resumes it once its URL reaches this receiver.`);
    },
  };
}

/** ` It has a note by Ada: ticket 4711.` */
export function describeNote({ local }: Hook): string {
  return local?.note === undefined ? '' : ` It has a note by ${local.note.by}: ${local.note.text}.`;
}

/** Undefined if the webhook delivers to the public URL. */
function whyElsewhere({ hookUrl }: Webhook, publicUrl: string): string | undefined {
  if (hookUrl === undefined || leadsTo(hookUrl, publicUrl)) return undefined;
  return `it delivers to ${hookUrl}, and this receiver is reached at ${publicUrl} now`;
}
