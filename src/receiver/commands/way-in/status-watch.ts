// Checks the status of this receiver's webhook, at the start and then every minute: nothing else would say why no delivery comes. Resumes
// a suspended webhook if the user wants it: with --resume, also one that is suspended later.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { setStatusAndSave } from '#webhooks/change/change-status.ts';
import { showMissed } from '#webhooks/change/missed-events.ts';
import { describeHook, type Hook, readHook } from '#webhooks/records/hook.ts';
import { defaultMaxResumes } from '#webhooks/watching/resume-when-healthy.ts';
import { whyElsewhere } from './suspend-unreachable.ts';

export type StatusWatch = ReturnType<typeof createStatusWatch>;

export interface StatusWatchOptions {
  /** When to resume the webhook: `once`, only if it is suspended at the start; `always`, later too. */
  readonly resumeWhen: 'never' | 'once' | 'always';
  readonly webhookAtStart: Hook | undefined;
  /** The URL at which this receiver is reached now. */
  readonly publicUrl: () => string;
  /** This receiver has suspended the webhook, and will resume it. */
  readonly isSuspendedByReceiver: () => boolean;
}

const dayMs = 86_400_000;
const missedEvents = 'Events that occurred while it was suspended are not delivered.';

export function createStatusWatch(
  context: Context,
  webhook: Hook,
  { resumeWhen, webhookAtStart, publicUrl, isSuspendedByReceiver }: StatusWatchOptions,
) {
  const { report, world } = context;
  const { id } = webhook.record;
  const name = describeHook(webhook);
  const resumeHint = `To resume it: ${formatCommandWith(context, 'webhook resume', [id])}`;
  let status = webhook.record.status;
  /** Suspended at the start, and not active since. */
  let suspendedAtStart = status === 'Suspended' ? webhook : undefined;
  let lastWarning: 'suspended' | 'waiting' | 'unresumed' | 'failed' | 'gone' | undefined;
  let resumedAt: readonly number[] = [];

  const warnOnce = async (kind: typeof lastWarning, text: string) => {
    if (kind !== lastWarning) await report.warn(text);
    lastWarning = kind;
  };
  const whyNotResume = ({ record, local }: Hook): string | undefined => {
    const { note, keptSuspended } = local ?? {};
    const before = suspendedAtStart && (webhookAtStart ?? suspendedAtStart).local;
    if (note && isNew(note.at, suspendedAtStart && webhookAtStart?.local?.note?.at))
      return `it has a note by ${note.by}: ${note.text}`;
    if (isNew(keptSuspended, before?.keptSuspended) || isNew(suspendedByWm(local), suspendedByWm(before)))
      return 'wm suspended it from this machine';
    const elsewhere = whyElsewhere(record, publicUrl());
    if (elsewhere !== undefined) return elsewhere;
    resumedAt = resumedAt.filter((at) => world.clock.now() - at < dayMs);
    return resumedAt.length < defaultMaxResumes
      ? undefined
      : `wm resumed it ${defaultMaxResumes} times within 24 hours`;
  };
  /** Undefined, after a warning, if the service fails. */
  const read = async (): Promise<Hook | undefined> => {
    try {
      const current = await readHook(context, id);
      status = current.record.status;
      await context.webhookRecords.observe([current]);
      return current;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      status = undefined;
      if (error.code === 'not_found')
        await warnOnce('gone', `Webhook ${id} no longer exists: nothing is delivered to this receiver.`);
      else
        await warnOnce(
          'failed',
          `Cannot read the status of ${name}: ${error.sentence}. wm tries again every minute.`,
        );
      return undefined;
    }
  };
  const resume = async (hook: Hook) => {
    if (!suspendedAtStart && lastWarning !== 'unresumed')
      await report.warn(`${name} was suspended, so wm resumes it.`);
    try {
      await setStatusAndSave(context, hook, { to: 'Active', effect: missedEvents });
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      return warnOnce(
        'unresumed',
        `Cannot resume webhook ${id}: ${error.sentence}. wm tries again every minute.\nTo look at it: ${formatCommandWith(context, 'webhook get', [id])}`,
      );
    }
    resumedAt = [...resumedAt, world.clock.now()];
    const isLater = !suspendedAtStart;
    status = 'Active';
    suspendedAtStart = lastWarning = undefined;
    if (isLater) await showMissed(context, [hook]);
  };

  return {
    /** The status at the last check; undefined if the check failed. */
    status: () => status,
    /** Reports each change once. A {@link Failure} of the service is only a warning. */
    async check(isReachable: boolean) {
      const current = await read();
      if (!current) return;
      if (status !== 'Suspended') {
        if (lastWarning !== undefined) await report.info(`${name} is ${status} again.`);
        suspendedAtStart = lastWarning = undefined;
        return;
      }
      if (isSuspendedByReceiver()) return;
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
