// Manages how deliveries reach `webhook listen`: the tunnel, the public URL and its checks, and the webhook. The order matters: wm creates
// or resumes a webhook only once its URL reaches this receiver, and suspends it while the receiver still accepts deliveries.

import { randomBytes } from 'node:crypto';
import type { Context } from '#cli/context.ts';
import { type FormatContext, formatCommandWith } from '#cli/format-command.ts';
import { isLeftByReceiver } from '#cli/local-webhook.ts';
import { isGlobalAddress, isLoopback } from '#contract/hook-url.ts';
import { Failure } from '#failure.ts';
import { isLoopbackHost } from '#login/host.ts';
import { findBaseUrl } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { describeHook, type Hook } from '#webhooks/records/hook.ts';
import { readStoredSecret } from '#webhooks/secrets/find-secret.ts';
import { leaveWebhook } from './leave-webhook.ts';
import { lookUpByUrl, type WayInPlan } from './prepare-way-in.ts';
import { createProber, type Prober } from './probe.ts';
import { createStatusWatch, type StatusWatch } from './status-watch.ts';
import { createUnreachableSuspender, leadsTo, type UnreachableSuspender } from './suspend-unreachable.ts';
import { startTunnel, type Tunnel } from './tunnel.ts';
import { createWayInWatch, failuresThatCount } from './watch-way-in.ts';
import { findOrCreate } from './webhook-of-url.ts';

export interface OpenReceiver {
  readonly host: string;
  readonly port: number;
  /** The only path that accepts deliveries; `undefined` if every path does. */
  readonly path: string | undefined;
  /** The secret of a new webhook; `undefined` for an unsigned one. */
  readonly secret: string | undefined;
}

export async function createWayIn(context: Context, plan: WayInPlan): Promise<WayIn> {
  const { publicUrl, tunnel } = plan.flags;
  const isFromService = publicUrl === undefined && tunnel === undefined;
  const wayIn = new WayIn(context, plan, isFromService ? await allowedAddresses(context) : undefined);
  if (plan.webhook) await wayIn.adopt(plan.webhook);
  return wayIn;
}

export class WayIn {
  /** Signs the probes of a receiver without a secret. Valid for handshakes only. */
  readonly probeSecret = randomBytes(32).toString('hex');
  readonly #context: Context;
  readonly #plan: WayInPlan;
  readonly #prober: Prober;
  readonly #stored: string[] = [];
  readonly #ending = new AbortController();
  #url: string | undefined;
  #webhook: Hook | undefined;
  #at: OpenReceiver | undefined;
  #tunnel: Tunnel | undefined;
  #suspender: UnreachableSuspender | undefined;
  #statusWatch: StatusWatch | undefined;
  /** The webhook is from this run, or from an earlier one that suspended it at its end, so this run suspends it too. */
  #isOwn = false;
  #isSettled = false;
  /** The current change. */
  #changing: Promise<void> = Promise.resolve();

  constructor(context: Context, plan: WayInPlan, allowAddress: ((address: string) => boolean) | undefined) {
    this.#context = context;
    this.#plan = plan;
    this.#url = plan.url;
    context.world.secrets.add(this.probeSecret);
    this.#prober = createProber(context.world, {
      secret: () => this.#at?.secret ?? this.#stored[0] ?? this.probeSecret,
      ...omitUndefined({ allowAddress }),
    });
  }

  /** Tells the receiver's handler whether the challenge is from a probe. */
  readonly recognize = (challenge: string): boolean => this.#prober.recognize(challenge);

  /** The stored secrets of the webhook, which the receiver accepts too. */
  secrets(): readonly string[] {
    return this.#stored;
  }

  /** The webhook that delivers here, if its status could be read. */
  webhook(): { readonly id: string; readonly status: string } | undefined {
    const status = this.#statusWatch?.status();
    return this.#webhook && status !== undefined ? { id: this.#webhook.record.id, status } : undefined;
  }

  /**
   * Called once the receiver listens. Resolves when the public URL leads to it and the webhook exists, or after a minute: then this goes on
   * in the background.
   * @throws {Failure} if the tunnel does not start or the webhook cannot be created
   */
  async open(receiver: OpenReceiver): Promise<void> {
    const { report } = this.#context;
    const { flags, create } = this.#plan;
    const { signal } = this.#ending;
    this.#at = receiver;
    const { host, port } = receiver;
    if (flags.tunnel !== undefined) {
      const findsUrl = flags.publicUrl === undefined;
      const onUrl = (origin: string) => this.#onUrl(origin);
      this.#tunnel = startTunnel(this.#context, { command: flags.tunnel, port, findsUrl, onUrl });
      await this.#tunnel.ready;
    }
    if (this.#url === undefined) return report.info(howToReach(receiver));
    await report.info(`From outside: ${this.#url}`);
    const watch = createWayInWatch(this.#context, {
      prober: this.#prober,
      url: () => this.#url ?? '',
      localAddress: `${host}:${port}`,
      tunnel: this.#tunnel,
      onLook: (failures) => this.#onLook(failures),
    });
    const isReachable = await watch.awaitReachable(signal);
    if (isReachable) await this.#change(() => this.#settle());
    else if (create && !signal.aborted)
      await report.warn('The webhook is created once the URL reaches this receiver.');
    void watch.watch(signal).catch((error: unknown) => {
      void report.warn(`wm no longer looks at the way in: ${String(error)}`);
    });
  }

  /** Called while the receiver still accepts deliveries. Returns the failure to suspend or delete the webhook, if any. */
  async leave(): Promise<Failure | undefined> {
    this.#ending.abort();
    await this.#changing.catch(() => {});
    const webhook = this.#webhook;
    if (webhook && this.#isOwn) {
      const onExit = this.#plan.flags.onExit ?? 'suspend';
      const failure = await leaveWebhook(this.#context, webhook.record.id, onExit);
      this.#isOwn = failure !== undefined;
      return failure;
    }
    if (webhook && this.#suspender?.hasSuspended())
      await this.#context.report.warn(describeStaysSuspended(this.#context, webhook));
    return undefined;
  }

  /** Called once the receiver accepts no more deliveries. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#tunnel?.close();
  }

  /** Replaces `leave` and `close` for a user who does not wait. Returns what is left to do. */
  abandon(): string | undefined {
    this.#ending.abort();
    void this.#tunnel?.close();
    const { onExit = 'suspend' } = this.#plan.flags;
    if (!this.#webhook || !this.#isOwn || onExit === 'keep') return undefined;
    const { id } = this.#webhook.record;
    return `Webhook ${id} may still deliver. To stop it: ${formatCommandWith(this.#context, `webhook ${onExit}`, [id])}`;
  }

  async adopt(found: Hook): Promise<void> {
    this.#webhook = found;
    const { id, hookUrl } = found.record;
    const { wanted } = this.#plan;
    const publicUrl = () => this.#url ?? '';
    this.#statusWatch = createStatusWatch(this.#context, found, {
      wanted: wanted === 'never' && this.#isOwn ? 'once' : wanted,
      knownBefore: this.#plan.known,
      publicUrl,
      isHeld: () => this.#suspender?.hasSuspended() === true,
    });
    const known = await readStoredSecret(this.#context, id);
    if (known) this.#stored.push(known.text);
    if (this.#plan.flags.suspendWhenUnreachable)
      this.#suspender = createUnreachableSuspender(this.#context, { id, hookUrl, publicUrl });
  }

  /** Called once the URL reaches this receiver. */
  async #settle(): Promise<void> {
    const [context, plan, url] = [this.#context, this.#plan, this.#url];
    if (this.#isSettled || url === undefined) return;
    this.#isSettled = true;
    let isCreated = false;
    if (plan.create && !this.#webhook) {
      const of = await findOrCreate(context, plan.create, { hookUrl: url, secret: this.#at?.secret });
      isCreated = of.isCreated;
      this.#isOwn = isCreated || isLeft(of.webhook);
      await this.adopt(of.webhook);
    } else if (!this.#webhook && plan.flags.tunnel !== undefined) {
      const found = await lookUpByUrl(context, url);
      if (found) await this.adopt(found);
    }
    if (!this.#webhook || isCreated) return;
    const other = describeOtherUrl(context, this.#webhook, url);
    if (other !== undefined) await context.report.warn(other);
    await this.#statusWatch?.look(true);
  }

  async #settleLater(): Promise<void> {
    try {
      await this.#settle();
    } catch (error) {
      if (!(error instanceof Failure) || error.reactions.listen === 'end') throw error;
      this.#isSettled = error.reactions.listen === 'once';
      await this.#context.report.warn(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
    }
  }

  #change(run: () => Promise<void>): Promise<void> {
    this.#changing = this.#changing.then(() => (this.#ending.signal.aborted ? undefined : run()));
    return this.#changing;
  }

  #onLook(failures: number): Promise<void> {
    return this.#change(async () => {
      if (failures === 0) {
        await this.#settleLater();
        await this.#suspender?.resume();
      } else if (failures >= failuresThatCount) await this.#suspender?.suspend();
      await this.#statusWatch?.look(failures === 0);
    });
  }

  #onUrl(origin: string): void {
    const last = this.#url;
    const url = this.#plan.flags.publicUrl ?? `${origin}${this.#at?.path ?? ''}`;
    this.#url = url;
    if (last === undefined || last === url) return;
    void this.#context.report.warn(describeNewUrl(this.#context, { last, url }, this.#webhook));
    void this.#change(async () => this.#suspender?.suspend());
  }
}

function isLeft({ record, local }: Hook): boolean {
  return record.status === 'Suspended' && isLeftByReceiver(local);
}

/** Keeps a URL from the service from reaching into this network, unless the account itself is on this machine. */
async function allowedAddresses({ world, account }: Context): Promise<(address: string) => boolean> {
  const base = await findBaseUrl(world, account);
  const isLocal = base !== undefined && isLoopbackHost(new URL(base).host);
  return (address) => isGlobalAddress(address) || (isLocal && isLoopback(address));
}

/** Returns `undefined` if the webhook delivers to the URL. */
function describeOtherUrl(
  given: FormatContext,
  { record: { id, hookUrl } }: Hook,
  url: string,
): string | undefined {
  if (hookUrl === undefined || leadsTo(hookUrl, url)) return undefined;
  return `Webhook ${id} delivers to ${hookUrl}, and this receiver is reached at ${url}.\nThe URL of a webhook cannot be changed. To create one for this URL: ${formatCommandWith(given, 'webhook create', [url])}`;
}

/** Reports the URL after a restart of the tunnel. */
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

/** The hint for a receiver without --public-url and --tunnel. */
function howToReach({ host, port }: { readonly host: string; readonly port: number }): string {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const at = `${local.includes(':') ? `[${local}]` : local}:`;
  const who = isLoopback(host)
    ? 'Only this machine can reach it. From outside:'
    : 'Other machines of its network can reach it. For the service:';
  return [
    `${who} \`--tunnel 'cloudflared tunnel --url http://${at}{port}'\`,`,
    `or let a proxy forward to ${at}${port} and give its URL: --public-url URL. With --create, wm creates the webhook.`,
  ].join('\n');
}
