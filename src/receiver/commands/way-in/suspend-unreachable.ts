// Suspends the webhook while the receiver cannot be reached, so that no delivery fails, and resumes it afterwards. It never resumes a
// webhook that another user has suspended or changed meanwhile.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { Webhook, WebhookStatus } from '#contract/webhook.ts';
import { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { setStatusAndSave } from '#webhooks/change/change-status.ts';
import { describeHook, type Hook, readHook } from '#webhooks/records/hook.ts';

export type UnreachableSuspender = ReturnType<typeof createUnreachableSuspender>;

export function createUnreachableSuspender(
  context: Context,
  { id, hookUrl }: Pick<Webhook, 'id' | 'hookUrl'>,
  publicUrl: () => string,
) {
  const { report } = context;
  /** `sent`: the outcome of the request to suspend is unknown. */
  let state: 'idle' | 'sent' | 'suspended' | 'over' = 'idle';
  let lastWarning: string | undefined;
  const name = describeHook({ record: { id, ...omitUndefined({ hookUrl }) } });
  const warnOnce = async (text: string) => {
    if (text !== lastWarning) await report.warn(text);
    lastWarning = text;
  };
  const change = async (before: Hook, to: WebhookStatus, effect: string) => {
    await setStatusAndSave(context, before, { to, effect });
    lastWarning = undefined;
  };
  /** Leaves a failure of the service to the next check of the way in, which tries again. */
  const runOrWarn = async (action: string, run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      if (error.code === 'not_found') {
        state = 'over';
        return report.warn(`Webhook ${id} no longer exists: there is nothing to ${action}.`);
      }
      if (action === 'suspend' && error.meaning.changed === 'unknown') state = 'sent';
      await warnOnce(
        `Cannot ${action} ${name}: ${error.sentence}. wm tries again the next time it checks the way in.`,
      );
    }
  };

  return {
    /** True if this suspended the webhook, or may have. */
    hasSuspended: () => state === 'suspended' || state === 'sent',
    async suspend() {
      if (state === 'suspended' || state === 'over') return;
      await runOrWarn('suspend', async () => {
        const before = await readHook(context, id);
        if (before.record.status === 'Suspended') {
          if (state === 'sent') state = 'suspended';
          else await warnOnce(`${name} is already suspended; wm leaves it suspended.`);
          return;
        }
        await report.warn(`The way in does not work, so wm suspends ${name} before deliveries fail.`);
        await change(before, 'Suspended', 'wm resumes it when the way in works again.');
        state = 'suspended';
      });
    },
    async resume() {
      if (state === 'idle') lastWarning = undefined;
      if (state !== 'suspended' && state !== 'sent') return;
      await runOrWarn('resume', async () => {
        const before = await readHook(context, id);
        if (before.record.status === 'Active') {
          if (state === 'suspended')
            await report.info(`${name} is active again: another user or program resumed it.`);
          state = 'idle';
          return;
        }
        const why = whyNotResume(before);
        if (why !== undefined) {
          state = 'idle';
          return report.warn(
            `${name} stays suspended: ${why}.\nTo resume it: ${formatCommandWith(context, 'webhook resume', [id])}`,
          );
        }
        await report.warn(`The way in works again, so wm resumes ${name}.`);
        await change(before, 'Active', 'Events that occurred meanwhile are not delivered.');
        state = 'idle';
      });
    },
  };

  function whyNotResume({ record, local }: Hook): string | undefined {
    const { note, keptSuspended } = local ?? {};
    if (note) return `it has a note by ${note.by}: ${note.text}`;
    if (keptSuspended !== undefined) return 'wm webhook suspend was run for it meanwhile';
    return whyElsewhere(record, publicUrl());
  }
}

/** Undefined if the webhook delivers to the public URL. */
export function whyElsewhere({ hookUrl }: Webhook, publicUrl: string): string | undefined {
  if (hookUrl === undefined || leadsTo(hookUrl, publicUrl)) return undefined;
  return `it delivers to ${hookUrl}, and this receiver is reached at ${publicUrl} now`;
}

/** The webhook may name a path below the public URL. */
export function leadsTo(hookUrl: string, publicUrl: string): boolean {
  if (!URL.canParse(hookUrl) || !URL.canParse(publicUrl)) return false;
  return new URL(hookUrl).origin === new URL(publicUrl).origin;
}
