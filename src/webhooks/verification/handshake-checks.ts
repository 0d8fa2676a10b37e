// Performs the handshake that the service does before it creates a signed webhook, and two forged ones that a receiver should
// reject.

import { createHash, createHmac } from 'node:crypto';
import { deliveryHeaders, handshakeField, handshakeText } from '#contract/delivery.ts';
import { sign, verify } from '#contract/signature.ts';
import type { World } from '#world/world.ts';
import { type CheckResult, failed, fixes, notChecked, type Problem, passed } from './check-result.ts';
import { headerOf, type Receiver, type Reply, textOf } from './receiver-exchange.ts';
import { findRejectionCause } from './rejection-cause.ts';
import { problemOf } from './response-meaning.ts';

const body = JSON.stringify({ [handshakeField]: handshakeText });
const header = deliveryHeaders.secret;

export async function checkHandshake(receiver: Receiver, secret: string, sampleId?: string) {
  const check = 'handshake';
  const challenge = createChallenge(receiver, sampleId);
  const reply = await sendHandshake(receiver, secret, challenge);
  const { ms } = reply;
  const problem = problemOf(reply);
  if (problem) {
    const headers = { [header]: challenge };
    const rejection = { body, headers, reply, secret, isSecretRight: false };
    const cause = await findRejectionCause(receiver, rejection);
    return { reply, result: failed(check, cause ?? problem, ms) };
  }
  const wrong = problemOfResponse(reply, secret, challenge);
  return { reply, result: wrong ? failed(check, wrong, ms) : passed(check, undefined, ms) };
}

/** A receiver on this machine recognises a verification by the id in the challenge. */
export function createChallenge({ randomBytes }: Pick<World, 'randomBytes'>, sampleId = ''): string {
  return `${sampleId}${randomBytes(16).toString('hex')}`;
}

export function sendHandshake(receiver: Receiver, secret: string, challenge: string): Promise<Reply> {
  return receiver.send(body, { [header]: challenge, [deliveryHeaders.signature]: sign(secret, body) });
}

/** The problem with a 2xx response; undefined if it proves that the receiver knows the secret. */
export function problemOfResponse(reply: Reply, secret: string, challenge: string): Problem | undefined {
  const proof = headerOf(reply, header);
  return proof === undefined
    ? explainMissing(reply, sign(secret, challenge))
    : problemOfProof(proof, secret, challenge);
}

const rightFix = `Respond with ${header}: the HMAC-SHA256 of the received ${header} under the secret, in lower-case hex.`;

/** Explains a wrong proof, by trying the usual mistakes. */
function problemOfProof(proof: string, secret: string, challenge: string): Problem | undefined {
  if (verify(secret, challenge, proof)) return undefined;
  const [, what, fix = rightFix] = mistakes(secret, challenge).find(([value]) => isSame(value, proof)) ?? [];
  if (what !== undefined) return { why: `the response's ${header} is ${what}`, fix };
  if (/^[0-9a-f]{64}$/i.test(proof))
    return {
      why: `the response's ${header} is not the HMAC of the challenge under this secret: the receiver has another secret`,
      fix: fixes.secret,
    };
  return { why: `the response's ${header} is not an HMAC-SHA256 in hex`, fix: rightFix };
}

/** By default {@link rightFix} helps. */
type Mistake = readonly [value: string, what: string, fix?: string];

function mistakes(secret: string, challenge: string): readonly Mistake[] {
  const hmac = (hash: string) => createHmac(hash, secret).update(challenge).digest('hex');
  const right = sign(secret, challenge);
  const withBreak = 'an HMAC under the secret and a line break: its secret ends with one';
  const inQuotes = 'an HMAC under the secret in quotes: the quotes are part of its secret';
  const otherSecret = 'Give the receiver the secret without anything around it.';
  return [
    [sign(secret, body), 'the HMAC of the body; it must be that of the challenge'],
    [challenge, 'the challenge itself; it must be its HMAC'],
    [
      secret,
      'the secret itself, which it must never send',
      `${rightFix} Anyone could have read the secret: rotate it.`,
    ],
    [Buffer.from(right, 'hex').toString('base64'), 'the right HMAC in base64; it must be in hex'],
    [`sha256=${right}`, 'the right HMAC with a prefix; it must be the hex digits alone'],
    [sign(challenge, secret), 'an HMAC with key and text exchanged; the secret is the key'],
    [createHash('sha256').update(challenge).digest('hex'), 'a plain SHA-256; it must be an HMAC'],
    [hmac('sha1'), 'an HMAC-SHA1; it must be an HMAC-SHA256'],
    [hmac('sha512'), 'an HMAC-SHA512; it must be an HMAC-SHA256'],
    [sign(`${secret}\n`, challenge), withBreak, otherSecret],
    [sign(`${secret}\r\n`, challenge), withBreak, otherSecret],
    [sign(`"${secret}"`, challenge), inQuotes, otherSecret],
    [sign(`'${secret}'`, challenge), inQuotes, otherSecret],
    [sign('', challenge), 'an HMAC under an empty secret', 'Give the receiver the secret.'],
  ];
}

function isSame(expected: string, proof: string): boolean {
  return expected === proof || (/^[0-9a-f]+$/.test(expected) && expected === proof.toLowerCase());
}

const proxyHeaders = ['via', 'x-cache', 'cf-ray', 'x-amz-cf-id', 'x-served-by', 'x-varnish'];

function explainMissing(reply: Reply, right: string) {
  if (textOf(reply).toLowerCase().includes(right))
    return {
      why: `the proof is in the body of the response; it must be in the header ${header}`,
      fix: `Send it as the response header ${header}.`,
    };
  const proxy = proxyHeaders.find((name) => headerOf(reply, name) !== undefined);
  return {
    why:
      proxy === undefined
        ? `the response has no ${header}: the receiver does not handle handshakes, or a proxy removes the header`
        : `the response has no ${header}: the proxy that added the header ${proxy} may have removed it, or the receiver does not handle handshakes`,
    fix: `Recognise a handshake by ${handshakeField} in its body, respond with ${header}, and let proxies pass that header.`,
  };
}

const forgedHandshake = 'forged handshake';

/** A receiver that signs for anyone gets its deliveries nevertheless. */
export function preventsDelivery({ check, outcome }: CheckResult): boolean {
  return outcome === 'fail' && check !== forgedHandshake;
}

/** A receiver that accepts these signs for anyone who asks. */
export async function checkForgedHandshakes(receiver: Receiver, secret: string, sampleId = '') {
  const forge = async (challenge: string, signature: string | undefined): Promise<boolean> => {
    const signed = signature === undefined ? {} : { [deliveryHeaders.signature]: signature };
    const reply = await receiver.send(body, { [header]: challenge, ...signed });
    return verify(secret, challenge, headerOf(reply, header) ?? '');
  };
  for (const signature of [sign(receiver.randomBytes(16).toString('hex'), body), undefined])
    if (await forge(createChallenge(receiver, sampleId), signature))
      return failed(forgedHandshake, {
        why: `the receiver responds to a handshake with ${signature ? 'a wrong' : 'no'} signature: it signs for anyone`,
        fix: `Compare ${deliveryHeaders.signature} with the HMAC of the body first.`,
      });
  if (await forge(`[{"eventType":"TaskDeleted","taskId":"${sampleId}"}]`, sign(secret, body)))
    return failed(forgedHandshake, {
      why: 'the receiver signs a challenge that is JSON: the result could be the signature of a forged delivery',
      fix: 'Sign only challenges of up to 100 letters and digits.',
    });
  return passed(forgedHandshake);
}

export function handshakeWithoutSecret(isSigned: boolean | undefined): CheckResult {
  if (isSigned === false) return notChecked('handshake', 'the webhook has no secret');
  return notChecked('handshake', unknownSecret, secretFix);
}

export const unknownSecret = 'the secret is unknown';
export const secretFix = 'Give it with --secret-stdin, --secret-file or WM_WEBHOOK_SECRET.';
