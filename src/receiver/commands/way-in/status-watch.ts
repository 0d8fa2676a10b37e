// Watches the status of this receiver's webhook, at the start and every minute, because deliveries stop silently when it is suspended.
// With --resume it resumes a webhook that the service has suspended.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { setStatusNow } from '#webhooks/change/change-status.ts';
import { showMissed } from '#webhooks/change/resumed.ts';
import { describeHook, type Hook, readHook, statusOf } from '#webhooks/records/hook.ts';
import { defaultMaxResumes } from '#webhooks/watching/resume-when-healthy.ts';

export interface StatusWatch {
  /** The status at the last look; `undefined` if it could not be read. */
  status(): string | undefined;
  /** Called once the URL reaches this receiver. A {@link Failure} of the service is only a warning. */
  begin(isWanted: boolean): Promise<void>;
  /** Reports each change once. */
  look(isReachable: boolean): Promise<void>;
}

export interface StatusWatchOptions {
  /** The flag --resume. */
  readonly resumes: boolean;
  /** Whether this receiver has suspended the webhook, and will resume it. */
  readonly isHeld: () => boolean;
}

const dayMs = 86_400_000;
const lost = 'Events that occurred while it was suspended are not delivered.';

export function createStatusWatch(
  context: Context,
  webhook: Hook,
  { resumes, isHeld }: StatusWatchOptions,
): StatusWatch {
  const { report, world } = context;
  const { id } = webhook.record;
  const name = describeHook(webhook);
  const resumeHint = `To resume it: ${formatCommandWith(context, 'webhook resume', [id])}`;
  let status = statusOf(webhook);
  let said: 'suspended' | 'waiting' | 'failed' | 'gone' | undefined;
  let resumedAt: readonly number[] = [];

  const say = async (what: typeof said, text: string) => {
    if (what !== said) await report.warn(text);
    said = what;
  };
  const whyNot = ({ local }: Hook): string | undefined => {
    const { note, keptSuspended, observed } = local ?? {};
    if (note) return `it has a note by ${note.by}: ${note.text}`;
    if (keptSuspended !== undefined || (observed?.byWm && observed.status === 'Suspended'))
      return 'wm suspended it from this machine';
    resumedAt = resumedAt.filter((at) => world.clock.now() - at < dayMs);
    return resumedAt.length < defaultMaxResumes
      ? undefined
      : `wm resumed it ${defaultMaxResumes} times within 24 hours`;
  };
  const read = async (): Promise<Hook> => {
    const now = await readHook(context, id);
    status = statusOf(now);
    await (await context.webhookRecords()).observe([now.record]);
    return now;
  };
  const resume = async (hook: Hook) => {
    await setStatusNow(context, hook, { to: 'Active', effect: lost });
    status = 'Active';
    said = undefined;
  };

  return {
    status: () => status,
    async begin(isWanted) {
      try {
        const now = await read();
        if (status !== 'Suspended') return;
        if (isWanted) return await resume(now);
        await say(
          'suspended',
          `${describeHook(now)} is suspended, so nothing will be delivered.${describeNote(now)}\n${resumeHint}`,
        );
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'internal') throw error;
        await report.warn(
          `Cannot ${isWanted ? 'resume' : 'read'} webhook ${id}: ${error.sentence}.\nTo look at it: ${formatCommandWith(context, 'webhook get', [id])}`,
        );
      }
    },
    async look(isReachable) {
      try {
        const now = await read();
        if (status !== 'Suspended') {
          if (said !== undefined) await report.info(`${name} is ${status} again.`);
          said = undefined;
          return;
        }
        if (isHeld()) return;
        const what = `${name} was suspended: nothing is delivered to this receiver.`;
        const kept = resumes ? whyNot(now) : '';
        if (kept === undefined && isReachable) {
          await report.warn(`${name} was suspended, so wm resumes it.`);
          resumedAt = [...resumedAt, world.clock.now()];
          await resume(now);
          await showMissed(context, [now]);
        } else if (kept === undefined)
          await say('waiting', `${what}\nwm resumes it once its URL reaches this receiver.`);
        else if (kept === '') await say('suspended', `${what}${describeNote(now)}\n${resumeHint}`);
        else await say('suspended', `${what} wm does not resume it: ${kept}.\n${resumeHint}`);
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
      }
    },
  };
}

/** ` It has a note by Ada: ticket 4711.` */
export function describeNote({ local }: Hook): string {
  return local?.note === undefined ? '' : ` It has a note by ${local.note.by}: ${local.note.text}.`;
}
