// How deliveries get to `webhook listen`: the tunnel, the public URL, a look at it every minute, and the webhook that delivers there.
// The order matters: a webhook is created or resumed only once its URL leads here, and suspended while the receiver still accepts.

import { randomBytes } from 'node:crypto';
import { isGlobalAddress, isLoopback } from '../../../../contract/hook-url.ts';
import { Failure } from '../../../../failure.ts';
import { isLoopbackHost } from '../../../../login/host.ts';
import { findBaseUrl } from '../../../../login/select-account.ts';
import type { Context } from '../../../context.ts';
import { formatCommand } from '../../../format-command.ts';
import { checkHookUrl } from '../../create/check-hook-url.ts';
import { readStoredSecret } from '../../secret/find-secret.ts';
import { type ReadWebhook, readWebhook } from '../../select/read-webhook.ts';
import { selectOneWebhook } from '../../select/select-one.ts';
import { leaveWebhook } from './leave-webhook.ts';
import { offerResume } from './offer-resume.ts';
import { createProber } from './probe.ts';
import { createUnreachableSuspender, type UnreachableSuspender } from './suspend-unreachable.ts';
import { startTunnel, type Tunnel } from './tunnel.ts';
import { createWayInWatch, failuresThatCount } from './watch-way-in.ts';
import { assertWayInFlags, type WayInFlags } from './way-in-flags.ts';
import { describeNewUrl, describeOtherUrl, describeStaysSuspended, howToReach } from './way-in-texts.ts';
import { findByUrl, findOrCreate, planWebhook } from './webhook-of-url.ts';

export interface WayIn {
  /** For the receiver's handler: true if the challenge is that of a probe. */
  recognize(challenge: string): boolean;
  /** Accepted by the receiver besides those that the user gave: that of the probes, and those stored for the webhook. */
  secrets(): readonly string[];
  /**
   * Once the receiver listens: resolves when the public URL leads to it and the webhook is there, or after a minute in which it does
   * not: then both follow later.
   * @throws {Failure} if the tunnel or the webhook cannot be had
   */
  open(at: OpenReceiver): Promise<void>;
  /** While the receiver still accepts. False if a webhook that was to be suspended or deleted was not. */
  leave(): Promise<boolean>;
  /** Once it accepts no more. */
  close(): Promise<void>;
}

export interface OpenReceiver {
  readonly host: string;
  readonly port: number;
  /** Of a webhook that is created; `undefined` for an unsigned one. */
  readonly secret: string | undefined;
}

/** Checks the flags and looks up what they name, before anything is started. */
export async function prepareWayIn(context: Context, flags: WayInFlags): Promise<WayIn> {
  assertWayInFlags(flags);
  const { report, world } = context;
  if (flags.publicUrl !== undefined) await checkHookUrl(context, flags.publicUrl, '--public-url');
  const plan = flags.create ? await planWebhook(context, flags) : undefined;
  if (flags.suspendWhenUnreachable || flags.resume) await context.assertMayChange();
  const probeSecret = randomBytes(32).toString('hex');
  world.secrets.add(probeSecret);
  const stored: string[] = [];
  const ending = new AbortController();

  let webhook: ReadWebhook | undefined;
  let isCreated = false;
  let isSettled = false;
  let url = flags.publicUrl;
  let secret: string | undefined;
  let tunnel: Tunnel | undefined;
  let suspender: UnreachableSuspender | undefined;
  /** The change that is under way. */
  let changing: Promise<void> = Promise.resolve();

  const adopt = async (found: ReadWebhook): Promise<void> => {
    webhook = found;
    const { id, hookUrl } = found.record;
    const known = await readStoredSecret(context, id);
    if (known) stored.push(known.text);
    if (flags.suspendWhenUnreachable)
      suspender = createUnreachableSuspender(context, { id, hookUrl, publicUrl: () => url ?? '' });
  };
  if (flags.webhook !== undefined) {
    const id = await selectOneWebhook(context, flags.webhook);
    const found = await readWebhook(context, id);
    await adopt(found);
    if (flags.tunnel === undefined) url ??= found.record.hookUrl;
  } else if (url !== undefined && !plan) {
    const found = await lookUp(context, url);
    if (found) await adopt(found);
  }
  const isFromService = flags.publicUrl === undefined && flags.tunnel === undefined;
  const prober = createProber(world, {
    secret: () => secret ?? stored[0] ?? probeSecret,
    ...(isFromService ? { allowAddress: await allowedAddresses(context) } : {}),
  });

  /** Once the URL leads here. */
  const settle = async (mayPrompt: boolean): Promise<void> => {
    if (isSettled || url === undefined) return;
    isSettled = true;
    if (plan && !webhook) {
      const of = await findOrCreate(context, plan, { hookUrl: url, secret });
      isCreated = of.isCreated;
      await adopt(of.webhook);
    } else if (!webhook && flags.tunnel !== undefined) {
      const found = await lookUp(context, url);
      if (found) await adopt(found);
    }
    if (webhook && !isCreated) {
      const other = describeOtherUrl(context, webhook, url);
      if (other !== undefined) await report.warn(other);
      const { id } = webhook.record;
      await offerResume(context, { id, resume: flags.resume === true, mayPrompt });
    }
  };
  const settleLater = async (): Promise<void> => {
    try {
      await settle(false);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      isSettled = error.meaning.retry !== 'soon';
      await report.failure(error);
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
  const onUrl = (next: string): void => {
    const last = url;
    url = flags.publicUrl ?? next;
    if (last === undefined || last === url) return;
    void report.warn(describeNewUrl(context, { last, url }, webhook)).then(() => {
      if (webhook) void change(async () => suspender?.suspend());
    });
  };

  return {
    recognize: (challenge) => prober.recognize(challenge),
    secrets: () => [...stored, probeSecret],
    async open(at) {
      ({ secret } = at);
      if (flags.tunnel !== undefined) {
        const findsUrl = flags.publicUrl === undefined;
        tunnel = startTunnel(context, { command: flags.tunnel, port: at.port, findsUrl, onUrl });
        await tunnel.ready;
      }
      if (url === undefined) return report.info(howToReach(at));
      await report.info(`From outside: ${url}`);
      const watch = createWayInWatch(context, {
        prober,
        url: () => url ?? '',
        localAddress: `${at.host}:${at.port}`,
        tunnel,
        onLook,
      });
      const isReachable = await watch.awaitReachable(ending.signal);
      if (ending.signal.aborted) return;
      if (isReachable) await change(() => settle(true));
      else if (plan) await report.warn('The webhook is created once the URL leads here.');
      void watch.watch(ending.signal).catch((error: unknown) => {
        void report.warn(`wm no longer looks at the way in: ${String(error)}`);
      });
    },
    async leave() {
      ending.abort();
      await changing.catch(() => {});
      if (webhook && isCreated) return leaveWebhook(context, webhook.record.id, flags.onExit ?? 'suspend');
      if (webhook && suspender?.hasSuspended()) await report.warn(describeStaysSuspended(context, webhook));
      return true;
    },
    async close() {
      ending.abort();
      await tunnel?.close();
    },
  };
}

/** Where the URL comes from the service, nothing is sent to this network, unless the account itself is on this machine. */
async function allowedAddresses({ world, account }: Context): Promise<(address: string) => boolean> {
  const base = await findBaseUrl(world, account);
  const isLocal = base !== undefined && isLoopbackHost(new URL(base).host);
  return (address) => isGlobalAddress(address) || (isLocal && isLoopback(address));
}

/** The webhook of the URL; undefined, with a hint or a warning, if nobody can tell. */
async function lookUp(context: Context, url: string): Promise<ReadWebhook | undefined> {
  try {
    return await findByUrl(context, url);
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
