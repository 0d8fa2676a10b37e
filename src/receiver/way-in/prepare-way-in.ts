// Prepares the way in before a receiver starts: finds the URL and its webhook, or plans a new one, and asks whether to resume it. Prompts
// must come now, because the running receiver uses the keys.

import type { Context } from '#cli/context.ts';
import { formatCommand } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { chooseOneWebhook } from '#webhooks/matching/choose.ts';
import { checkHookUrl } from '#webhooks/new-webhook/check-hook-url.ts';
import { findSameUrl } from '#webhooks/new-webhook/same-url.ts';
import { describeHook, type Hook, readHook } from '#webhooks/records/hook.ts';
import { describeNote, type StatusWatchOptions } from './status-watch.ts';
import { assertWayInFlags, type WayInFlags } from './way-in-flags.ts';
import { findPlanned, planWebhook } from './webhook-of-url.ts';

export type WayInPlan = Awaited<ReturnType<typeof prepareWayIn>>;

/** @throws {Failure} if flags contradict each other, or name something that does not exist */
export async function prepareWayIn(context: Context, flags: WayInFlags) {
  assertWayInFlags(flags);
  const { publicUrl, tunnel, suspendWhenUnreachable, resume = false } = flags;
  if (publicUrl !== undefined) await checkHookUrl(context, publicUrl, '--public-url');
  const create = flags.create ? await planWebhook(context, flags) : undefined;
  if (suspendWhenUnreachable || resume) await context.assertMayChange();
  const webhook = create ? undefined : await findWebhook(context, flags);
  const webhookUrl = tunnel === undefined ? webhook?.record.hookUrl : undefined;
  const webhookAtStart =
    create && publicUrl !== undefined ? await findPlanned(context, create, publicUrl) : webhook;
  const resumes =
    resume || context.common.yes || (webhookAtStart && (await askToResume(context, webhookAtStart)));
  const resumeWhen: StatusWatchOptions['resumeWhen'] = resume ? 'always' : resumes ? 'once' : 'never';
  return {
    flags,
    /** `undefined` until a tunnel prints it. */
    url: publicUrl ?? webhookUrl,
    /** The webhook that delivers here, if already known. */
    webhook,
    /** That webhook when the user decided whether to resume it, with the note that the user saw. */
    webhookAtStart,
    create,
    resumeWhen,
  };
}

async function findWebhook(
  context: Context,
  { webhook, publicUrl, suspendWhenUnreachable, resume }: WayInFlags,
): Promise<Hook | undefined> {
  if (webhook !== undefined) return readHook(context, await chooseOneWebhook(context, webhook));
  if (publicUrl === undefined) return undefined;
  if (!suspendWhenUnreachable && !resume) return lookUpByUrl(context, publicUrl);
  const [match] = await findSameUrl(context, { hookUrl: publicUrl });
  if (match) return match;
  throw new Failure('not_found', {
    message: `No webhook delivers to ${publicUrl}`,
    why: `--${suspendWhenUnreachable ? 'suspend-when-unreachable' : 'resume'} needs one`,
    hint: 'Let wm create it: --create --events EVENT,... Or name another: --webhook ID',
  });
}

/** Finds the webhook of the URL. If it cannot be found, prints a hint or a warning and returns `undefined`. */
export async function lookUpByUrl(context: Context, url: string): Promise<Hook | undefined> {
  try {
    return (await findSameUrl(context, { hookUrl: url }))[0];
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'internal') throw error;
    if (error.code === 'sign_in_needed')
      await context.report.info(
        `Not signed in, so wm cannot see whether the webhook of this URL is suspended. To sign in: ${formatCommand(context, 'login')}`,
      );
    else await context.report.warn(`Cannot look up the webhook of ${url}: ${error.sentence}`);
    return undefined;
  }
}

/** Asks before the receiver starts, because it uses the keys later. Returns false without a terminal. */
async function askToResume(context: Context, webhook: Hook): Promise<boolean> {
  if (webhook.record.status !== 'Suspended' || !context.canPrompt) return false;
  const question = `${describeHook(webhook)} is suspended.${describeNote(webhook)} Resume it once its URL reaches this receiver?`;
  return context.prompt('--resume', (prompt) => prompt.confirm(question));
}
