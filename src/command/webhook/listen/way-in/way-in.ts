// How deliveries get to `webhook listen`: the tunnel, the public URL, a look at it every minute, and the webhook that delivers there.
// The order matters: a webhook is created or resumed only once its URL reaches this receiver, and suspended while the receiver still accepts.

import { randomBytes } from 'node:crypto';
import { isGlobalAddress, isLoopback } from '../../../../contract/hook-url.ts';
import { Failure } from '../../../../failure.ts';
import { isLoopbackHost } from '../../../../login/host.ts';
import { findBaseUrl } from '../../../../login/select-account.ts';
import type { Context } from '../../../context.ts';
import { type FormatContext, formatCommandWith } from '../../../format-command.ts';
import { isLeftByReceiver } from '../../../webhook-records/local-webhook.ts';
import { describeHook, type Hook } from '../../hook.ts';
import { readStoredSecret } from '../../secret/find-secret.ts';
import { leaveWebhook } from './leave-webhook.ts';
import { resumeIfWanted } from './offer-resume.ts';
import { lookUpByUrl, type WayInPlan } from './prepare-way-in.ts';
import { createProber } from './probe.ts';
import { createUnreachableSuspender, leadsTo, type UnreachableSuspender } from './suspend-unreachable.ts';
import { startTunnel, type Tunnel } from './tunnel.ts';
import { createWayInWatch, failuresThatCount } from './watch-way-in.ts';
import { findOrCreate } from './webhook-of-url.ts';

export interface WayIn {
  /** For the receiver's handler: true if the challenge is that of a probe. */
  recognize(challenge: string): boolean;
  /** Those stored for the webhook, which the receiver accepts too. */
  secrets(): readonly string[];
  /** Signs the probes if there is no other secret; valid for handshakes only. */
  readonly probeSecret: string;
  /**
   * Once the receiver listens: resolves when the public URL leads to it and the webhook is there, or after a minute in which it does
   * not: then both follow later.
   * @throws {Failure} if the tunnel or the webhook cannot be had
   */
  open(at: OpenReceiver): Promise<void>;
  /** While the receiver still accepts. The failure if a webhook that was to be suspended or deleted was not. */
  leave(): Promise<Failure | undefined>;
  /** Once it accepts no more. */
  close(): Promise<void>;
  /** Instead of both, for a user who does not wait: says what is left to do. */
  abandon(): string | undefined;
}

export interface OpenReceiver {
  readonly host: string;
  readonly port: number;
  /** The only path that accepts deliveries, if there is one. */
  readonly path: string | undefined;
  /** For a webhook that is created; `undefined` for an unsigned one. */
  readonly secret: string | undefined;
}

export async function createWayIn(context: Context, plan: WayInPlan): Promise<WayIn> {
  const { report, world } = context;
  const { flags } = plan;
  const probeSecret = randomBytes(32).toString('hex');
  world.secrets.add(probeSecret);
  const stored: string[] = [];
  const ending = new AbortController();

  let { url } = plan;
  let webhook: Hook | undefined;
  let at: OpenReceiver | undefined;
  let tunnel: Tunnel | undefined;
  let suspender: UnreachableSuspender | undefined;
  /** This run created it, or an earlier one did and suspended it at its end: so this one does, too. */
  let isOwn = false;
  let isSettled = false;
  /** The change that is under way. */
  let changing: Promise<void> = Promise.resolve();

  const adopt = async (found: Hook): Promise<void> => {
    webhook = found;
    const { id, hookUrl } = found.record;
    const known = await readStoredSecret(context, id);
    if (known) stored.push(known.text);
    if (flags.suspendWhenUnreachable)
      suspender = createUnreachableSuspender(context, { id, hookUrl, publicUrl: () => url ?? '' });
  };
  if (plan.webhook) await adopt(plan.webhook);
  const isLeft = ({ record, local }: Hook): boolean =>
    record.status === 'Suspended' && isLeftByReceiver(local);
  const isFromService = flags.publicUrl === undefined && flags.tunnel === undefined;
  const prober = createProber(world, {
    secret: () => at?.secret ?? stored[0] ?? probeSecret,
    ...(isFromService ? { allowAddress: await allowedAddresses(context) } : {}),
  });

  /** Once the URL reaches this receiver. */
  const settle = async (): Promise<void> => {
    if (isSettled || url === undefined) return;
    isSettled = true;
    let isCreated = false;
    if (plan.create && !webhook) {
      const of = await findOrCreate(context, plan.create, { hookUrl: url, secret: at?.secret });
      isCreated = of.isCreated;
      isOwn = isCreated || isLeft(of.webhook);
      await adopt(of.webhook);
    } else if (!webhook && flags.tunnel !== undefined) {
      const found = await lookUpByUrl(context, url);
      if (found) await adopt(found);
    }
    if (!webhook || isCreated) return;
    const other = describeOtherUrl(context, webhook, url);
    if (other !== undefined) await report.warn(other);
    await resumeIfWanted(context, webhook.record.id, isOwn || plan.resumes || context.common.yes === true);
  };
  const settleLater = async (): Promise<void> => {
    try {
      await settle();
    } catch (error) {
      if (!(error instanceof Failure) || error.reactions.listen === 'end') throw error;
      isSettled = error.reactions.listen === 'once';
      await report.warn(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
    }
  };
  const change = (run: () => Promise<void>): Promise<void> => {
    changing = changing.then(() => (ending.signal.aborted ? undefined : run()));
    return changing;
  };
  const onLook = (failures: number): Promise<void> =>
    change(async () => {
      if (failures === 0) {
        await settleLater();
        await suspender?.resume();
      } else if (failures >= failuresThatCount) await suspender?.suspend();
    });
  const onUrl = (origin: string): void => {
    const last = url;
    url = flags.publicUrl ?? `${origin}${at?.path ?? ''}`;
    if (last === undefined || last === url) return;
    void report.warn(describeNewUrl(context, { last, url }, webhook));
    void change(async () => suspender?.suspend());
  };

  return {
    probeSecret,
    recognize: (challenge) => prober.recognize(challenge),
    secrets: () => stored,
    async open(receiver) {
      at = receiver;
      const { host, port } = receiver;
      if (flags.tunnel !== undefined) {
        const findsUrl = flags.publicUrl === undefined;
        tunnel = startTunnel(context, { command: flags.tunnel, port, findsUrl, onUrl });
        await tunnel.ready;
      }
      if (url === undefined) return report.info(howToReach(receiver));
      await report.info(`From outside: ${url}`);
      const watch = createWayInWatch(context, {
        prober,
        url: () => url ?? '',
        localAddress: `${host}:${port}`,
        tunnel,
        onLook,
      });
      const isReachable = await watch.awaitReachable(ending.signal);
      if (isReachable) await change(settle);
      else if (plan.create && !ending.signal.aborted)
        await report.warn('The webhook is created once the URL reaches this receiver.');
      void watch.watch(ending.signal).catch((error: unknown) => {
        void report.warn(`wm no longer looks at the way in: ${String(error)}`);
      });
    },
    async leave() {
      ending.abort();
      await changing.catch(() => {});
      if (webhook && isOwn) {
        const failure = await leaveWebhook(context, webhook.record.id, flags.onExit ?? 'suspend');
        isOwn = failure !== undefined;
        return failure;
      }
      if (webhook && suspender?.hasSuspended()) await report.warn(describeStaysSuspended(context, webhook));
      return undefined;
    },
    async close() {
      ending.abort();
      await tunnel?.close();
    },
    abandon() {
      ending.abort();
      void tunnel?.close();
      if (!webhook || !isOwn || flags.onExit === 'keep') return undefined;
      const { id } = webhook.record;
      return `Webhook ${id} may still deliver. To stop it: ${formatCommandWith(context, `webhook ${flags.onExit ?? 'suspend'}`, [id])}`;
    },
  };
}

/** Where the URL comes from the service, nothing is sent to this network, unless the account itself is on this machine. */
async function allowedAddresses({ world, account }: Context): Promise<(address: string) => boolean> {
  const base = await findBaseUrl(world, account);
  const isLocal = base !== undefined && isLoopbackHost(new URL(base).host);
  return (address) => isGlobalAddress(address) || (isLocal && isLoopback(address));
}

/** Undefined if the webhook delivers to the URL. */
function describeOtherUrl(
  given: FormatContext,
  { record: { id, hookUrl } }: Hook,
  url: string,
): string | undefined {
  if (hookUrl === undefined || leadsTo(hookUrl, url)) return undefined;
  return `Webhook ${id} delivers to ${hookUrl}, and this receiver is reached at ${url}.\nThe URL of a webhook cannot be changed. To create one for this URL: ${formatCommandWith(given, 'webhook create', [url])}`;
}

/** After a restart of the tunnel. */
function describeNewUrl(
  given: FormatContext,
  { last, url }: { readonly last: string; readonly url: string },
  webhook: Hook | undefined,
): string {
  const says = `The tunnel has a new URL: ${url}. The old one, ${last}, no longer works.`;
  const create = `To create a webhook for the new URL: ${formatCommandWith(given, 'webhook create', [url])}`;
  if (!webhook) return `${says}\nThe URL of a webhook cannot be changed. ${create}`;
  const { record } = webhook;
  const name = describeHook(webhook);
  return `${says}\n${name} still delivers there, and its URL cannot be changed. ${create}\nThen delete the other: ${formatCommandWith(given, 'webhook delete', [record.id])}`;
}

function describeStaysSuspended(given: FormatContext, { record: { id } }: Hook): string {
  return `Webhook ${id} stays suspended: the way in does not work.\nTo resume it: ${formatCommandWith(given, 'webhook resume', [id])}`;
}

/** Where neither a URL nor a tunnel is given. */
function howToReach({ host, port }: { readonly host: string; readonly port: number }): string {
  const at = `${host.includes(':') ? `[${host}]` : host}:`;
  return [
    `Only this machine can reach it. From outside: \`--tunnel 'cloudflared tunnel --url http://${at}{port}'\`,`,
    `or let a proxy forward to ${at}${port} and give its URL: --public-url URL. With --create, wm creates the webhook.`,
  ].join('\n');
}
