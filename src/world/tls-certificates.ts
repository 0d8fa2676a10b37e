// Which certificates a TLS connection accepts. They are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says: a token
// must not reach an unverified host. Options can add trusted certificates, but never remove any.

import type { SecureContext } from 'node:tls';
import type { Environment } from './world.ts';

/** Options of every connection; without them, Node would read the variable. */
export interface TlsOptions {
  readonly rejectUnauthorized: true;
  readonly secureContext?: SecureContext;
}

export function createTlsOptions(trust: SecureContext | undefined): TlsOptions {
  return { rejectUnauthorized: true, ...(trust ? { secureContext: trust } : {}) };
}

/** Node's trusted certificates and those in the PEM text. Throws if the text contains none, or an invalid one. */
export async function createSecureContextWith(
  certificates: string,
  environment: Environment,
): Promise<SecureContext> {
  const [tls, { X509Certificate }] = await Promise.all([import('node:tls'), import('node:crypto')]);
  const more = splitPem(certificates);
  if (more.length === 0) throw new Error('no certificate was found');
  // OpenSSL skips what it cannot read.
  for (const one of more) new X509Certificate(one);
  return tls.createSecureContext({ ca: [...(await nodeCertificates(tls, environment)), ...more] });
}

async function nodeCertificates(
  tls: typeof import('node:tls'),
  environment: Environment,
): Promise<readonly string[]> {
  // Newer versions of Node have an API for this, which includes the system's certificates if an option says so.
  if ('getCACertificates' in tls && typeof tls.getCACertificates === 'function')
    return tls.getCACertificates('default');
  const path = environment['NODE_EXTRA_CA_CERTS'];
  const { promises: disk } = await import('node:fs');
  // Node warns about a file that it cannot read, and continues without it.
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
