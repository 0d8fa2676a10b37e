// Manages how deliveries reach `webhook listen`: the tunnel, the public URL and its checks, and the webhook. The order matters: wm creates
// or resumes a webhook only once its URL reaches this receiver, and suspends it while the receiver still accepts deliveries.

import type { Context } from '#cli/context.ts';
import { type FormatContext, formatCommandWith } from '#cli/format-command.ts';
import { isGlobalAddress, isLoopback } from '#contract/hook-url.ts';
import { Failure } from '#failure.ts';
import { isLeftByReceiver } from '#local-records/local-webhook.ts';
import { isAccountLocal } from '#webhooks/new-webhook/check-hook-url.ts';
import { describeHook, type Hook } from '#webhooks/records/hook.ts';
import { readStoredSecret } from '#webhooks/secrets/find-secret.ts';
import { lookUpByUrl, type WayInPlan } from './prepare-way-in.ts';
import { createStatusWatch, type StatusWatch } from './status-watch.ts';
import { startTunnel, type Tunnel } from './tunnel.ts';
import { createProber, createWayInWatch, failuresThatCount, leadsTo } from './watch-way-in.ts';
import { findOrCreate, leaveWebhook } from './webhook-of-url.ts';

export interface OpenReceiver {
  readonly host: string;
  readonly port: number;
  /** The only path that accepts deliveries; `undefined` if every path does. */
  readonly path: string | undefined;
  /** The secret of a new webhook; `undefined` for an unsigned one. */
  readonly secret: string | undefined;
}

export type WayIn = Awaited<ReturnType<typeof createWayIn>>;

export async function createWayIn(context: Context, plan: WayInPlan) {
  const { report, world } = context;
  const { flags, create, resumeWhen } = plan;
  const isFromService = flags.publicUrl === undefined && flags.tunnel === undefined;
  const isLocal = isFromService && (await isAccountLocal(context));
  // Keeps a URL from the service from reaching into this network, unless the account itself is on this machine.
  const allowAddress = (address: string) => isGlobalAddress(address) || (isLocal && isLoopback(address));
  /** Signs the probes of a receiver without a secret. Valid for handshakes only. */
  const probeSecret = world.randomBytes(32).toString('hex');
  world.secrets.add(probeSecret);
  const secret = () => receiver?.secret ?? storedSecrets[0] ?? probeSecret;
  const prober = createProber(world, secret, isFromService ? { allowAddress } : {});
  const storedSecrets: string[] = [];
  const ending = new AbortController();
  let url = plan.url;
  let webhook: Hook | undefined;
  let receiver: OpenReceiver | undefined;
  let tunnel: Tunnel | undefined;
  let statusWatch: StatusWatch | undefined;
  /** The webhook is from this run, or from an earlier one that suspended it at its end, so this run suspends it too. */
  let isOwn = false;
  let isSettled = false;
  let changing: Promise<void> = Promise.resolve();

  const publicUrl = () => url ?? '';
  const adopt = async (hook: Hook) => {
    webhook = hook;
    statusWatch = createStatusWatch(context, hook, {
      resumeWhen: resumeWhen === 'never' && isOwn ? 'once' : resumeWhen,
      webhookAtStart: plan.webhookAtStart,
      suspends: flags.suspendWhenUnreachable === true,
      publicUrl,
    });
    const secret = await readStoredSecret(context, hook.record.id);
    if (secret) storedSecrets.push(secret.text);
  };
  /** Called once the URL reaches this receiver. */
  const settle = async () => {
    if (isSettled || url === undefined) return;
    const hookUrl = url;
    isSettled = true;
    let isCreated = false;
    if (create && !webhook) {
      const result = await findOrCreate(context, create, { hookUrl, secret: receiver?.secret });
      const { record, local } = result.webhook;
      isCreated = result.isCreated;
      isOwn = isCreated || (record.status === 'Suspended' && isLeftByReceiver(local));
      await adopt(result.webhook);
    } else if (!webhook && flags.tunnel !== undefined) {
      const hook = await lookUpByUrl(context, hookUrl);
      if (hook) await adopt(hook);
    }
    if (!webhook || isCreated) return;
    const mismatch = describeOtherUrl(context, webhook, hookUrl);
    if (mismatch !== undefined) await report.warn(mismatch);
    await statusWatch?.check(0);
  };
  const trySettle = async () => {
    try {
      await settle();
    } catch (error) {
      if (!(error instanceof Failure) || error.reactions.listen === 'end') throw error;
      isSettled = error.reactions.listen === 'once';
      await report.warn(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
    }
  };
  const change = (run: () => Promise<void>) => {
    changing = changing.then(() => (ending.signal.aborted ? undefined : run()));
    return changing;
  };
  const onCheck = (failures: number) =>
    change(async () => {
      if (failures === 0) await trySettle();
      await statusWatch?.check(failures);
    });
  const onUrl = (origin: string) => {
    const previous = url;
    url = flags.publicUrl ?? `${origin}${receiver?.path ?? ''}`;
    if (previous === undefined || previous === url) return;
    void report.warn(describeNewUrl(context, previous, url, webhook));
    // The webhook still delivers to the previous URL.
    if (flags.suspendWhenUnreachable) void change(async () => statusWatch?.check(failuresThatCount));
  };
  if (plan.webhook) await adopt(plan.webhook);

  return {
    probeSecret,
    recognize: prober.recognize,
    /** The stored secrets of the webhook, which the receiver accepts too. */
    secrets: (): readonly string[] => storedSecrets,
    /** The webhook that delivers here, if its status could be read. */
    webhook() {
      const status = statusWatch?.status();
      return webhook && status !== undefined ? { id: webhook.record.id, status } : undefined;
    },
    /**
     * Called once the receiver listens. Resolves when the public URL leads to it and the webhook exists, or after a minute: then this
     * goes on in the background.
     * @throws {Failure} if the tunnel does not start or the webhook cannot be created
     */
    async open(opened: OpenReceiver) {
      const { signal } = ending;
      receiver = opened;
      const { host, port } = opened;
      if (flags.tunnel !== undefined) {
        const findsUrl = flags.publicUrl === undefined;
        tunnel = startTunnel(context, { command: flags.tunnel, port, findsUrl, onUrl });
        await tunnel.ready;
      }
      if (url === undefined) return report.info(howToReach(host));
      await report.info(`From outside: ${url}`);
      const watch = createWayInWatch(context, prober, publicUrl, `${host}:${port}`, tunnel, onCheck);
      const isReachable = await watch.awaitReachable(signal);
      if (isReachable) await change(settle);
      else if (create && !signal.aborted)
        await report.warn('The webhook is created once the URL reaches this receiver.');
      void watch.watch(signal).catch((error: unknown) => {
        void report.warn(`wm no longer checks the way in: ${String(error)}`);
      });
    },
    /** Called while the receiver still accepts deliveries. Returns the failure to suspend or delete the webhook, if any. */
    async leave(): Promise<Failure | undefined> {
      ending.abort();
      await changing.catch(() => {});
      if (webhook && isOwn) {
        const failure = await leaveWebhook(context, webhook.record.id, flags.onExit ?? 'suspend');
        isOwn = failure !== undefined;
        return failure;
      }
      if (!webhook || !statusWatch?.hasSuspended()) return undefined;
      const { id } = webhook.record;
      await report.warn(
        `Webhook ${id} stays suspended: the way in does not work.\nTo resume it: ${formatCommandWith(context, 'webhook resume', [id])}`,
      );
      return undefined;
    },
    /** Called once the receiver accepts no more deliveries. */
    async close() {
      ending.abort();
      await tunnel?.close();
    },
    /** Replaces `leave` and `close` for a user who does not wait. Returns what the user still has to do. */
    abandon() {
      ending.abort();
      void tunnel?.close();
      const { onExit = 'suspend' } = flags;
      if (!webhook || !isOwn || onExit === 'keep') return undefined;
      const { id } = webhook.record;
      return `Webhook ${id} may still deliver. To stop it: ${formatCommandWith(context, `webhook ${onExit}`, [id])}`;
    },
  };
}

/** Returns `undefined` if the webhook delivers to the URL. */
function describeOtherUrl(context: FormatContext, { record: { id, hookUrl } }: Hook, url: string) {
  if (hookUrl === undefined || leadsTo(hookUrl, url)) return undefined;
  return `Webhook ${id} delivers to ${hookUrl}, and this receiver is reached at ${url}.\nThe URL of a webhook cannot be changed. To create one for this URL: ${formatCommandWith(context, 'webhook create', [url])}`;
}

function describeNewUrl(context: FormatContext, previous: string, url: string, webhook: Hook | undefined) {
  const notice = `The tunnel has a new URL: ${url}. The old one, ${previous}, no longer works.`;
  const create = `To create a webhook for the new URL: ${formatCommandWith(context, 'webhook create', [url])}`;
  if (!webhook) return `${notice}\nThe URL of a webhook cannot be changed. ${create}`;
  const { id } = webhook.record;
  return `${notice}\n${describeHook(webhook)} still delivers there, and its URL cannot be changed. ${create}\nThen delete the old webhook: ${formatCommandWith(context, 'webhook delete', [id])}`;
}

const howToReach = (host: string) =>
  isLoopback(host)
    ? 'Only this machine can reach it. From outside: --tunnel or --public-url (--help)'
    : 'Other machines of its network can reach it. For the service: --tunnel or --public-url (--help)';
