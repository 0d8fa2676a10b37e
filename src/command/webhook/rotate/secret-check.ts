// Tells whether a later run of a rotation gives the same secret, without storing the secret: a salted, slow hash of it.

import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { RotationState } from '../../webhook-records/local-webhook.ts';

type SecretCheck = RotationState['secretCheck'];

const bytes = 32;

export function createSecretCheck(secret: string): SecretCheck {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: hash(secret, salt).toString('hex') };
}

export function isCheckedSecret(secret: string, check: SecretCheck): boolean {
  const expected = Buffer.from(check.hash, 'hex');
  return expected.length === bytes && timingSafeEqual(hash(secret, check.salt), expected);
}

function hash(secret: string, salt: string): Buffer {
  return scryptSync(secret, salt, bytes);
}
