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
import { defaultMaxResumes } from '#webhooks/watching/resume-when-healthy.ts';
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

type Warning = 'suspended' | 'already' | 'waiting' | 'unsuspended' | 'unresumed' | 'unread' | 'gone';

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
  /** Suspended at the start, and not active since. */
  let suspendedAtStart = status === 'Suspended' ? webhook : undefined;
  /** Whether this receiver has suspended it; `sent`: the outcome of the request is unknown. */
  let own: 'no' | 'sent' | 'suspended' = 'no';
  /** What the user was warned of since it was active. */
  const warnings = new Set<Warning>();
  let resumedAt: readonly number[] = [];

  const warnOnce = async (kind: Warning, text: string) => {
    if (!warnings.has(kind)) await report.warn(text);
    warnings.add(kind);
  };
  const whyNotResume = ({ record, local }: Hook): string | undefined => {
    const { note, keptSuspended } = local ?? {};
    const before = suspendedAtStart && (webhookAtStart ?? suspendedAtStart).local;
    if (note && isNew(note.at, suspendedAtStart && webhookAtStart?.local?.note?.at))
      return `it has a note by ${note.by}: ${note.text}`;
    if (own !== 'no' && keptSuspended !== undefined) return 'wm webhook suspend was run for it meanwhile';
    const isByWm = own === 'no' && isNew(suspendedByWm(local), suspendedByWm(before));
    if (isByWm || isNew(keptSuspended, before?.keptSuspended)) return 'wm suspended it from this machine';
    const elsewhere = whyElsewhere(record, publicUrl());
    if (own !== 'no' || elsewhere !== undefined) return elsewhere;
    resumedAt = resumedAt.filter((at) => world.clock.now() - at < dayMs);
    return resumedAt.length < defaultMaxResumes
      ? undefined
      : `wm resumed it ${defaultMaxResumes} times within 24 hours`;
  };
  /** Leaves a failure of the service to the next check. `intent`: what the request was for, besides the status. */
  const warnOfFailure = async (error: unknown, intent: 'suspend' | 'resume' | undefined) => {
    if (!(error instanceof Failure) || error.code === 'internal') throw error;
    const { sentence, meaning } = error;
    if (isNotFound(error)) {
      own = 'no';
      const effect = intent ? `there is nothing to ${intent}` : 'nothing is delivered to this receiver';
      return warnOnce('gone', `Webhook ${id} no longer exists: ${effect}.`);
    }
    if (intent === 'suspend') {
      if (meaning.changed === 'unknown') own = 'sent';
      const later = 'wm tries again the next time it checks the way in';
      return warnOnce('unsuspended', `Cannot suspend ${name}: ${sentence}. ${later}.`);
    }
    const later = 'wm tries again every minute';
    if (intent === undefined)
      return warnOnce('unread', `Cannot read the status of ${name}: ${sentence}. ${later}.`);
    const look = `To look at it: ${formatCommandWith(context, 'webhook get', [id])}`;
    return warnOnce('unresumed', `Cannot resume webhook ${id}: ${sentence}. ${later}.\n${look}`);
  };
  const read = async (intent: 'suspend' | 'resume' | undefined): Promise<Hook | undefined> => {
    try {
      const current = await readHook(context, id);
      status = current.record.status;
      await (await context.webhookRecords()).observe([current]);
      return current;
    } catch (error) {
      status = undefined;
      await warnOfFailure(error, intent);
      return undefined;
    }
  };
  /** Returns false, after a warning, if the service fails. */
  const change = async (hook: Hook, to: WebhookStatus, effect: string): Promise<boolean> => {
    try {
      await setStatusAndSave(context, hook, { to, effect });
    } catch (error) {
      await warnOfFailure(error, to === 'Suspended' ? 'suspend' : 'resume');
      return false;
    }
    status = to;
    suspendedAtStart = undefined;
    warnings.clear();
    return true;
  };
  const suspend = async (hook: Hook) => {
    if (!warnings.has('unsuspended'))
      await report.warn(`The way in does not work, so wm suspends ${name} before deliveries fail.`);
    if (await change(hook, 'Suspended', 'wm resumes it when the way in works again.')) own = 'suspended';
  };
  const resumeOwn = async (hook: Hook) => {
    const reason = whyNotResume(hook);
    if (reason !== undefined) {
      own = 'no';
      return warnOnce('suspended', `${name} stays suspended: ${reason}.\n${resumeHint}`);
    }
    if (!warnings.has('unresumed')) await report.warn(`The way in works again, so wm resumes ${name}.`);
    if (await change(hook, 'Active', 'Events that occurred meanwhile are not delivered.')) own = 'no';
  };
  const resume = async (hook: Hook) => {
    const isLater = !suspendedAtStart;
    if (isLater && !warnings.has('unresumed')) await report.warn(`${name} was suspended, so wm resumes it.`);
    if (!(await change(hook, 'Active', missedEvents))) return;
    resumedAt = [...resumedAt, world.clock.now()];
    if (isLater) await showMissed(context, [hook]);
  };
  const reportActive = async (isReachable: boolean) => {
    warnings.delete('unsuspended');
    if (own === 'suspended' && isReachable)
      await report.info(`${name} is active again: another user or program resumed it.`);
    else if (warnings.size > 0) await report.info(`${name} is ${status} again.`);
    if (isReachable) own = 'no';
    suspendedAtStart = undefined;
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
      const current = await read(isToSuspend ? 'suspend' : isToResume ? 'resume' : undefined);
      if (!current) return;
      if (status !== 'Suspended') return isToSuspend ? suspend(current) : reportActive(isReachable);
      warnings.delete('unread');
      if (isToSuspend && own === 'sent') own = 'suspended';
      if (own !== 'no') return isToResume ? resumeOwn(current) : undefined;
      if (isToSuspend) await warnOnce('already', `${name} is already suspended; wm leaves it suspended.`);
      const sentence = suspendedAtStart
        ? `${name} is suspended, so nothing will be delivered.`
        : `${name} was suspended: nothing is delivered to this receiver.`;
      if (resumeWhen === 'never' || (resumeWhen === 'once' && !suspendedAtStart))
        return warnOnce('suspended', `${sentence}${describeNote(current)}\n${resumeHint}`);
      const reason = whyNotResume(current);
      if (reason !== undefined)
        return warnOnce('suspended', `${sentence} wm does not resume it: ${reason}.\n${resumeHint}`);
      if (isReachable) return resume(current);
      await warnOnce('waiting', `${sentence}\nwm resumes it once its URL reaches this receiver.`);
    },
  };
}

/** The time since which it is suspended, if wm suspended it on this machine. */
function suspendedByWm(local: Hook['local']): string | undefined {
  const { observed } = local ?? {};
  return observed?.byWm && observed.status === 'Suspended' ? observed.since : undefined;
}

function isNew(time: string | undefined, before: string | undefined): boolean {
  return time !== undefined && time !== before;
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
