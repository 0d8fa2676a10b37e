// Verifies a receiver: runs every check, in the order of a delivery's steps. A skipped check says why.

import type { Context } from '#cli/context.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { isGlobalAddress, isLoopback } from '#contract/hook-url.ts';
import { isAccountLocal } from '../new-webhook/check-hook-url.ts';
import { type CheckResult, failed, fixes, notChecked, passed, warned } from './check-result.ts';
import {
  checkForgedHandshakes,
  checkHandshake,
  handshakeWithoutSecret,
  secretFix,
} from './handshake-checks.ts';
import { networkChecks, urlCheck } from './network-checks.ts';
import { createReceiver, passingStatus, type Receiver, type Reply, textOf } from './receiver-exchange.ts';
import { formatSeconds, isDelivered, isRedirect, problemOf } from './response-meaning.ts';
import {
  checkForgedDelivery,
  checkVariations,
  type EventOutcome,
  eventResults,
  sendSamples,
  taskIdResult,
} from './sample-checks.ts';
import { sampleEvent, unsampledResult } from './sample-delivery.ts';
import { withSampleId } from './sample-id.ts';
import { defaultSeconds, type VerifyOptions, type VerifyTarget } from './verify-flags.ts';

/** The URL may come from the service, so wm sends only to global addresses, unless `allowPrivate` is set or the account is local. */
export async function verifyReceiver(
  context: Pick<Context, 'world' | 'account'>,
  target: VerifyTarget,
  options: VerifyOptions,
): Promise<readonly CheckResult[]> {
  const { world } = context;
  const { within = defaultSeconds, allowPrivate = false, connectTo } = options;
  const limitMs = within * 1000;
  const isLocalAccount = await isAccountLocal(context);
  const urlResult = urlCheck(target.url, isLocalAccount, allowPrivate);
  if (!isHttpUrl(target.url)) return [urlResult, ...skipAfter('the URL is invalid')];
  const url = new URL(target.url);
  const allowsLoopback = isLocalAccount && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  const allowAddress = (address: string) =>
    allowPrivate || isGlobalAddress(address) || (allowsLoopback && isLoopback(address));
  const inspection = await world.inspectConnection(target.url, {
    timeoutMs: Math.max(limitMs, leastConnectMs),
    ...(connectTo ? { connectTo } : { allowAddress }),
    certificates: world.http.certificates,
  });
  const network = networkChecks({ url, inspection, allowAddress, connectTo, now: world.clock.now() });
  const before = [urlResult, ...network];
  const obstacle = network.find(({ outcome }) => outcome === 'fail');
  if (obstacle) return [...before, ...skipAfter(`${obstacle.check} failed`)];
  const receiver = createReceiver(world, {
    url: target.url,
    secret: target.secret,
    timeoutMs: limitMs,
    repeats: 2,
    // A proxy resolves the name itself, so the check of this machine's addresses must do.
    ...(connectTo ? { connectTo } : inspection.isProxied ? {} : { allowAddress }),
  });
  const exchanged = await withSampleId(world, (sampleId) =>
    exchangeChecks(world, receiver, { ...target, sampleId }, options),
  );
  return [...before, ...blameFlaps(receiver, exchanged)];
}

/** The limit for a response does not apply to name look-ups and connections. */
const leastConnectMs = 10_000;

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const skipAfter = (reason: string): readonly CheckResult[] => [notChecked('handshake and events', reason)];

async function exchangeChecks(
  world: Context['world'],
  receiver: Receiver,
  target: VerifyTarget,
  { isShort = false, isHandshakeOnly = false }: VerifyOptions,
): Promise<readonly CheckResult[]> {
  const { secret, isSigned } = target;
  const handshake =
    secret === undefined ? undefined : await checkHandshake(receiver, secret, target.sampleId);
  if (handshake && isRedirect(handshake.reply)) return redirected(handshake.reply);
  const shake = handshake?.result ?? handshakeWithoutSecret(isSigned);
  if (isHandshakeOnly) return [shake];
  const isSecretRight = shake.outcome === 'ok';
  const forged =
    secret !== undefined && isSecretRight && !isShort
      ? [await checkForgedHandshakes(receiver, secret, target.sampleId)]
      : [];
  // A receiver of signed deliveries would only reject unsigned samples.
  if (secret === undefined && isSigned === true)
    return [shake, notChecked('events', 'deliveries are signed, and the secret is unknown', secretFix)];
  const outcomes = await sendSamples(world, { receiver, target, isShort, isSecretRight });
  const [first] = receiver.replies;
  if (first && isRedirect(first)) return redirected(first);
  return [
    passed('redirect'),
    shake,
    ...forged,
    taskIdResult(outcomes),
    ...eventResults(outcomes),
    ...(isShort ? [] : unsampledResult(target)),
    ...(isShort ? [] : await checkAccepted(world, receiver, target, outcomes)),
    ...pageCheck(receiver.replies),
    timeCheck(receiver),
  ];
}

const numerals = ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A status that equal requests get at random proves nothing about the content of one that got it three times. */
function blameFlaps({ flaps, replies }: Receiver, results: readonly CheckResult[]): readonly CheckResult[] {
  const [first] = flaps;
  if (first === undefined) return results;
  const statuses = new Set(flaps.map(passingStatus));
  const count = replies.filter((reply) => statuses.has(passingStatus(reply))).length;
  const period = Math.round(replies.length / count);
  const often = period < 2 ? 'nearly every request' : `about one request in ${numerals[period] ?? period}`;
  const why = `it responds with ${joinWithOr([...statuses].map(String))} to ${often} (${count} of ${replies.length}), whatever it contains`;
  return [
    ...results.map((result) =>
      statuses.has(result.status) ? notChecked(result.check, `${result.status}; see availability`) : result,
    ),
    failed('availability', {
      why: `${why}: ${problemOf(first)?.why ?? ''}`,
      fix: 'Look in the logs of the receiver and of the proxy before it: perhaps one of several instances fails.',
    }),
  ];
}

function pageCheck(replies: readonly Reply[]): readonly CheckResult[] {
  const isPage = (reply: Reply) => isDelivered(reply) && /^\s*<(?:!doctype|html)/i.test(textOf(reply));
  const why =
    'the receiver responds with an HTML page: this may be a web site that accepts every request, and then every event is lost';
  return replies.some(isPage) ? [warned('response body', { why, fix: 'Check the path of the URL.' })] : [];
}

async function checkAccepted(
  { clock }: Pick<Context['world'], 'clock'>,
  receiver: Receiver,
  target: VerifyTarget,
  outcomes: readonly EventOutcome[],
): Promise<readonly CheckResult[]> {
  const accepted = outcomes.find(({ problem }) => problem === undefined);
  const event = accepted && sampleEvent(accepted.event, target, clock.now());
  const isToBeSigned = target.secret !== undefined && target.isSigned !== false;
  const forged = event && isToBeSigned ? [await checkForgedDelivery(receiver, event)] : [];
  return [...forged, ...(await checkVariations(receiver, event))];
}

function redirected(reply: Reply): readonly CheckResult[] {
  const problem = problemOf(reply) ?? { why: 'a redirect' };
  return [failed('redirect', problem, reply.ms), ...skipAfter('requests are redirected')];
}

/** A response above this share of the limit may exceed it on a bad day. */
const slowShare = 0.5;

function timeCheck({ replies, limitMs }: Receiver): CheckResult {
  const check = 'response time';
  // A response whose body does not end still began in time.
  const timed = replies.filter(({ result }) => !('fault' in result && result.arrived));
  const ms = Math.max(0, ...timed.map((reply) => reply.ms));
  const fix = fixes.slow;
  if (timed.some(({ result }) => 'fault' in result && result.fault === 'timeout'))
    return failed(check, { why: `the receiver needs longer than ${formatSeconds(limitMs)}`, fix }, ms);
  const slowest = `the slowest of ${timed.length} responses`;
  if (ms <= limitMs * slowShare) return passed(check, `${slowest}; limit ${formatSeconds(limitMs)}`, ms);
  return warned(check, { why: `${slowest} is close to the limit of ${formatSeconds(limitMs)}`, fix }, ms);
}
