// Credentials as nsc makes them: an operator, accounts with JetStream, and the .creds files of their users.

import { nkeys } from '@nats-io/transport-node';

interface Signer {
  sign(input: Uint8Array): Uint8Array;
  getPublicKey(): string;
  getSeed(): Uint8Array;
}

export const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const noLimits = { subs: -1, data: -1, payload: -1 };

/** `expires`: in seconds since 1970. */
function signToken(issuer: Signer, subject: Signer, nats: object, expires?: number): string {
  const claims = {
    jti: subject.getPublicKey(),
    iat: 1_700_000_000,
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name: 'test',
    ...(expires === undefined ? {} : { exp: expires }),
    nats: { ...nats, version: 2 },
  };
  const text = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode(claims)}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString('base64url')}`;
}

export function createOperator() {
  const operator = nkeys.createOperator();
  const [system, account, other] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()];
  const accountToken = (signer: Signer, storage: number) =>
    signToken(operator, signer, {
      type: 'account',
      limits: {
        ...noLimits,
        ...{ imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
        ...{ mem_storage: storage, disk_storage: storage, streams: storage, consumer: storage },
      },
    });
  const user = nkeys.createUser();
  const seed = textOf(user.getSeed());
  const credsOf = (signer: Signer, expires?: number) => {
    const token = signToken(signer, user, { type: 'user', pub: {}, sub: {}, ...noLimits }, expires);
    return `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
  };
  return {
    /** For the servers: they know one account, and no password. */
    configuration: [
      `operator: ${signToken(operator, operator, { type: 'operator' })}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${system.getPublicKey()}: ${accountToken(system, 0)}, ${account.getPublicKey()}: ${accountToken(account, -1)} }`,
    ].join('\n'),
    /** The secret part of its files. */
    seed,
    /** The text of a file for that account, until it expires; by default it does not. */
    creds: (expires?: number) => credsOf(account, expires),
    /** One of an account that the servers do not know. */
    strangeCreds: credsOf(other),
  };
}
