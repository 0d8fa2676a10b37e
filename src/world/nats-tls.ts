// TLS to NATS servers: what wm shows and trusts, and which names a certificate may have.

import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { NatsTls } from './world.ts';

/** What Node checks a certificate against if it is told no name. */
const unnamed = 'localhost';

export function tlsOptions({ ca, certificate, key }: NatsTls, servers: readonly string[]) {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    // The library passes on no address, only names: then the certificate has to be that of a server that the user has named.
    checkServerIdentity(host: string, shown: PeerCertificate): Error | undefined {
      const problems = (host === unnamed ? hosts : [host]).map((name) => checkServerIdentity(name, shown));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}
