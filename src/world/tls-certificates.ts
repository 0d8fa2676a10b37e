// Chooses the certificates that a TLS connection trusts. Always verifies, whatever NODE_TLS_REJECT_UNAUTHORIZED says: a token must
// not reach an unverified host. Options can add certificates, but never remove one.

import type { SecureContext } from 'node:tls';
import type { Environment } from './world.ts';

/** Set for every connection: without these, Node would read the variable. */
export interface TlsOptions {
  readonly rejectUnauthorized: true;
  readonly secureContext?: SecureContext;
}

export function createTlsOptions(trust: SecureContext | undefined): TlsOptions {
  return { rejectUnauthorized: true, ...(trust ? { secureContext: trust } : {}) };
}

/** Trusts Node's certificates and those in the PEM text. Throws if the text has none, or an invalid one. */
export async function createSecureContextWith(certificates: string, environment: Environment) {
  const [tls, { X509Certificate }] = await Promise.all([import('node:tls'), import('node:crypto')]);
  const added = splitPem(certificates);
  if (added.length === 0) throw new Error('no certificate was found');
  // Throws for an invalid certificate, which OpenSSL would skip.
  for (const certificate of added) new X509Certificate(certificate);
  return tls.createSecureContext({ ca: [...(await nodeCertificates(tls, environment)), ...added] });
}

async function nodeCertificates(
  tls: typeof import('node:tls'),
  environment: Environment,
): Promise<readonly string[]> {
  // Newer Node versions have an API for this, which includes the system's certificates if an option asks for them.
  if ('getCACertificates' in tls && typeof tls.getCACertificates === 'function')
    return tls.getCACertificates('default');
  const path = environment['NODE_EXTRA_CA_CERTS'];
  const { promises: disk } = await import('node:fs');
  // If Node cannot read this file, it prints a warning and continues without it.
  const extra = path ? await disk.readFile(path, 'latin1').catch(() => '') : '';
  return [...tls.rootCertificates, ...splitPem(extra)];
}

function splitPem(text: string): readonly string[] {
  return (
    text.match(
      /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g,
    ) ?? []
  );
}
