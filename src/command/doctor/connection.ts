// The doctor's checks of the way to a host, below HTTP: its addresses, whether one accepts connections, and its certificate.

import { joinWithAnd } from '../../contract/format-list.ts';
import { isLoopbackHost } from '../../login/host.ts';
import type { Inspection } from '../../world/world.ts';
import type { Context } from '../context.ts';
import { countOf } from '../count-of.ts';
import type { Finding } from './finding.ts';

const dayMs = 86_400_000;
/** A certificate that ends sooner is worth a line. */
const soonDays = 14;

/** `url`: of the API or, before a sign-in, of the authorization server. Nothing for the emulator, which has neither name nor certificate. */
export async function connectionChecks({ world, timeoutMs }: Context, url: string): Promise<Finding[]> {
  const { host, hostname, protocol } = new URL(url);
  if (protocol === 'http:') return [];
  const inspection = await world.inspectConnection(url, { timeoutMs, certificates: world.http.certificates });
  if (inspection.isProxied) return [];
  const { fault } = inspection;
  if (fault?.at === 'name') {
    const remedy =
      'Check the spelling of the host, the connection and the name server. Behind a proxy, set HTTPS_PROXY.';
    return [{ check: 'DNS', result: 'bad', found: `${hostname} has no address: ${fault.detail}`, remedy }];
  }
  const findings: Finding[] = isLoopbackHost(host)
    ? []
    : [
        {
          check: 'DNS',
          result: 'good',
          found: `${hostname} is at ${joinWithAnd(inspection.addresses.slice(0, 3))}`,
        },
      ];
  if (fault?.at === 'connection') {
    const remedy = 'Check the connection and the firewall. Behind a proxy, set HTTPS_PROXY.';
    return [...findings, { check: 'connection', result: 'bad', found: `${host}: ${fault.detail}`, remedy }];
  }
  return [...findings, certificateFinding(host, inspection, world.clock.now())];
}

function certificateFinding(host: string, { certificate, fault }: Inspection, now: number): Finding {
  const check = 'TLS';
  if (!certificate || fault || certificate.distrust !== undefined) {
    const why = fault?.detail ?? certificate?.distrust ?? 'it sent no certificate';
    const remedy = 'Behind a company proxy, trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE.';
    return { check, result: 'bad', found: `${host}: ${why}`, remedy };
  }
  const days = Math.floor((certificate.validTo - now) / dayMs);
  const found = `${host} has a certificate that is valid for ${countOf(days, 'day')}`;
  return { check, result: days < soonDays ? 'notice' : 'good', found };
}
