// The secure handshake: proves, before a webhook with a secret is created, that its receiver knows the secret.

import { handshakeField, handshakeText, header, judge } from '../../contract/delivery.ts';
import { sign, verify } from '../../contract/signature.ts';
import { randomText } from '../state/random-text.ts';
import type { Post } from './post.ts';

/** Why it failed; nothing where it did not. */
export async function handshake(post: Post, hookUrl: string, secret: string): Promise<string | undefined> {
  const body = JSON.stringify({ [handshakeField]: handshakeText });
  const challenge = randomText(32);
  const answer = await post(
    hookUrl,
    { [header.secret]: challenge, [header.signature]: sign(secret, body) },
    body,
  );
  if ('fault' in answer) return `the receiver could not be reached (${answer.fault})`;
  if (judge(answer.status) !== 'delivered') return `the receiver answered ${answer.status}`;
  const proof = answer.headers[header.secret.toLowerCase()];
  if (proof === undefined) return `the receiver's answer has no ${header.secret}`;
  return verify(secret, challenge, proof) ? undefined : `the receiver's ${header.secret} is wrong`;
}
