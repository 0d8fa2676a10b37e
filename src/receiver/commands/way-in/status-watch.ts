// Looks at the status of this receiver's webhook, at the start and then every minute: nothing else would say why no delivery comes.
// Where that is wanted, it brings back what was suspended: --resume also does so later.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { setStatusNow, showMissed } from '#webhooks/change/change-status.ts';
import { describeHook, type Hook, readHook, statusOf } from '#webhooks/records/hook.ts';
import { defaultMaxResumes } from '#webhooks/watching/resume-when-healthy.ts';
import { whyElsewhere } from './suspend-unreachable.ts';

export type StatusWatch = ReturnType<typeof createStatusWatch>;

export interface StatusWatchOptions {
  /** Whether it is resumed: `once` only if it is suspended at the start, `always` later too. */
  readonly wanted: 'never' | 'once' | 'always';
  /** What was known of it when the user wanted it resumed. */
  readonly knownBefore: Hook | undefined;
  /** Where this receiver is reached now. */
  readonly publicUrl: () => string;
  /** This receiver has suspended it, and resumes it. */
  readonly isHeld: () => boolean;
}

const dayMs = 86_400_000;
const lost = 'Events that occurred while it was suspended are not delivered.';

export function createStatusWatch(
  context: Context,
  webhook: Hook,
  { wanted, knownBefore, publicUrl, isHeld }: StatusWatchOptions,
) {
  const { report, world } = context;
  const { id } = webhook.record;
  const name = describeHook(webhook);
  const resumeHint = `To resume it: ${formatCommandWith(context, 'webhook resume', [id])}`;
  let status = statusOf(webhook);
  /** Suspended at the start, and not active since. */
  let first = status === 'Suspended' ? webhook : undefined;
  let said: 'suspended' | 'waiting' | 'unresumed' | 'failed' | 'gone' | undefined;
  let resumedAt: readonly number[] = [];

  const say = async (what: typeof said, text: string) => {
    if (what !== said) await report.warn(text);
    said = what;
  };
  const whyNot = ({ record, local }: Hook): string | undefined => {
    const { note, keptSuspended } = local ?? {};
    const known = first && (knownBefore ?? first).local;
    if (note && isNew(note.at, first && knownBefore?.local?.note?.at))
      return `it has a note by ${note.by}: ${note.text}`;
    if (isNew(keptSuspended, known?.keptSuspended) || isNew(suspendedByWm(local), suspendedByWm(known)))
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
      const now = await readHook(context, id);
      status = statusOf(now);
      await (await context.webhookRecords()).observe([now.record]);
      return now;
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      status = undefined;
      if (error.code === 'not_found')
        await say('gone', `Webhook ${id} no longer exists: nothing is delivered to this receiver.`);
      else
        await say(
          'failed',
          `Cannot read the status of ${name}: ${error.sentence}. wm tries again every minute.`,
        );
      return undefined;
    }
  };
  const resume = async (hook: Hook) => {
    if (!first && said !== 'unresumed') await report.warn(`${name} was suspended, so wm resumes it.`);
    try {
      await setStatusNow(context, hook, { to: 'Active', effect: lost });
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      return say(
        'unresumed',
        `Cannot resume webhook ${id}: ${error.sentence}. wm tries again every minute.\nTo look at it: ${formatCommandWith(context, 'webhook get', [id])}`,
      );
    }
    resumedAt = [...resumedAt, world.clock.now()];
    const isLater = !first;
    status = 'Active';
    first = said = undefined;
    if (isLater) await showMissed(context, [hook]);
  };

  return {
    /** When it was last read; undefined if it could not be. */
    status: () => status,
    /** Says what has changed, once. A {@link Failure} of the service is only a warning. */
    async look(isReachable: boolean) {
      const now = await read();
      if (!now) return;
      if (status !== 'Suspended') {
        if (said !== undefined) await report.info(`${name} is ${status} again.`);
        first = said = undefined;
        return;
      }
      if (isHeld()) return;
      const what = first
        ? `${name} is suspended, so nothing will be delivered.`
        : `${name} was suspended: nothing is delivered to this receiver.`;
      if (wanted === 'never' || (wanted === 'once' && !first))
        return say('suspended', `${what}${describeNote(now)}\n${resumeHint}`);
      const kept = whyNot(now);
      if (kept !== undefined)
        return say('suspended', `${what} wm does not resume it: ${kept}.\n${resumeHint}`);
      if (isReachable) return resume(now);
      await say('waiting', `${what}\nwm resumes it once its URL reaches this receiver.`);
    },
  };
}

/** Since when it is suspended, if wm did it on this machine. */
function suspendedByWm(local: Hook['local']): string | undefined {
  const { observed } = local ?? {};
  return observed?.byWm && observed.status === 'Suspended' ? observed.since : undefined;
}

function isNew(at: string | undefined, known: string | undefined): boolean {
  return at !== undefined && at !== known;
}

/** ` It has a note by Ada: ticket 4711.` */
export function describeNote({ local }: Hook): string {
  return local?.note === undefined ? '' : ` It has a note by ${local.note.by}: ${local.note.text}.`;
}
