// Explains a wrong proof in a handshake, by trying the usual mistakes.

import { createHash, createHmac } from 'node:crypto';
import { deliveryHeaders } from '#contract/delivery.ts';
import { sign, verify } from '#contract/signature.ts';
import { fixes, type Problem } from './check-result.ts';

export interface Handshake {
  readonly secret: string;
  readonly challenge: string;
  readonly body: string;
}

const header = deliveryHeaders.secret;
const rightFix = `Respond with ${header}: the HMAC-SHA256 of the received ${header} under the secret, in lower-case hex.`;

export function problemOfProof(proof: string, handshake: Handshake): Problem | undefined {
  const { secret, challenge } = handshake;
  if (verify(secret, challenge, proof)) return undefined;
  const mistake = mistakes(handshake).find(({ value }) => isSame(value, proof));
  if (mistake) return { why: `the response's ${header} is ${mistake.is}`, fix: mistake.fix ?? rightFix };
  if (/^[0-9a-f]{64}$/i.test(proof))
    return {
      why: `the response's ${header} is not the HMAC of the challenge under this secret: the receiver has another secret`,
      fix: fixes.secret,
    };
  return { why: `the response's ${header} is not an HMAC-SHA256 in hex`, fix: rightFix };
}

interface Mistake {
  readonly value: string;
  /** Completes "the response's header is". */
  readonly is: string;
  readonly fix?: string;
}

function mistakes({ secret, challenge, body }: Handshake): readonly Mistake[] {
  const otherSecret = 'Give the receiver the secret without anything around it.';
  return [
    { value: sign(secret, body), is: 'the HMAC of the body; it must be that of the challenge' },
    { value: challenge, is: 'the challenge itself; it must be its HMAC' },
    {
      value: secret,
      is: 'the secret itself, which it must never send',
      fix: `${rightFix} Anyone could have read the secret: rotate it.`,
    },
    {
      value: Buffer.from(sign(secret, challenge), 'hex').toString('base64'),
      is: 'the right HMAC in base64; it must be in hex',
    },
    {
      value: `sha256=${sign(secret, challenge)}`,
      is: 'the right HMAC with a prefix; it must be the hex digits alone',
    },
    { value: sign(challenge, secret), is: 'an HMAC with key and text exchanged; the secret is the key' },
    {
      value: createHash('sha256').update(challenge).digest('hex'),
      is: 'a plain SHA-256; it must be an HMAC',
    },
    {
      value: createHmac('sha1', secret).update(challenge).digest('hex'),
      is: 'an HMAC-SHA1; it must be an HMAC-SHA256',
    },
    {
      value: createHmac('sha512', secret).update(challenge).digest('hex'),
      is: 'an HMAC-SHA512; it must be an HMAC-SHA256',
    },
    ...[`${secret}\n`, `${secret}\r\n`].map((value) => ({
      value: sign(value, challenge),
      is: 'an HMAC under the secret and a line break: its secret ends with one',
      fix: otherSecret,
    })),
    ...[`"${secret}"`, `'${secret}'`].map((value) => ({
      value: sign(value, challenge),
      is: 'an HMAC under the secret in quotes: the quotes are part of its secret',
      fix: otherSecret,
    })),
    { value: sign('', challenge), is: 'an HMAC under an empty secret', fix: 'Give the receiver the secret.' },
  ];
}

function isSame(expected: string, proof: string): boolean {
  return expected === proof || (/^[0-9a-f]+$/.test(expected) && expected === proof.toLowerCase());
}
