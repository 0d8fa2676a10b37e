// Which certificates a connection over TLS accepts. They are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says:
// a token must not reach whoever answers. More certificates can be trusted, and no fewer.

import type { SecureContext } from 'node:tls';
import type { Environment } from './world.ts';

/** What every connection is given; without it, Node would look at the variable. */
export interface TlsOptions {
  readonly rejectUnauthorized: true;
  readonly secureContext?: SecureContext;
}

export function createTlsOptions(trust: SecureContext | undefined): TlsOptions {
  return { rejectUnauthorized: true, ...(trust ? { secureContext: trust } : {}) };
}

/** What Node trusts, and the PEM certificates beside it. Throws where there is none in the text, or a broken one. */
export async function createSecureContextWith(
  certificates: string,
  environment: Environment,
): Promise<SecureContext> {
  const [tls, { X509Certificate }] = await Promise.all([import('node:tls'), import('node:crypto')]);
  const more = splitPem(certificates);
  if (more.length === 0) throw new Error('no certificate was found');
  // OpenSSL passes over what it cannot read.
  for (const one of more) new X509Certificate(one);
  return tls.createSecureContext({ ca: [...(await nodeCertificates(tls, environment)), ...more] });
}

async function nodeCertificates(
  tls: typeof import('node:tls'),
  environment: Environment,
): Promise<readonly string[]> {
  // Newer Nodes say it themselves, with the system's own where an option asks for them.
  if ('getCACertificates' in tls && typeof tls.getCACertificates === 'function')
    return tls.getCACertificates('default');
  const path = environment['NODE_EXTRA_CA_CERTS'];
  const { promises: disk } = await import('node:fs');
  // Node goes on without a file that it cannot read, and has said so.
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
