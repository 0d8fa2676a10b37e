// Follows the way to a host as far as it gets: name, address, connection, certificate. Connects even if the certificate is not
// trusted, to tell the user why. Sends no request.

import type { Socket } from 'node:net';
import type { PeerCertificate as NodeCertificate, SecureContext, TLSSocket } from 'node:tls';
import { chooseAddress } from './http-address-filter.ts';
import { connectFault, describeError } from './http-fault.ts';
import { parseTarget, type Target } from './http-target.ts';
import { chosenProxy } from './proxy-choice.ts';
import { createSecureContextWith } from './tls-certificates.ts';
import type {
  Clock,
  Environment,
  InspectConnection,
  InspectionFault,
  InspectOptions,
  PeerCertificate,
} from './world.ts';

export function createInspectConnection(
  environment: Environment,
  clock: Pick<Clock, 'limit'>,
): InspectConnection {
  return async (url, options) => {
    const { timeoutMs, connectTo, certificates } = options;
    const target = parseTarget(url);
    const result = { isProxied: false, addresses: [] as readonly string[] };
    let stage: InspectionFault['stage'] = 'name';
    if (!target)
      return { ...result, fault: { stage, fault: 'unreachable', detail: 'not an http or https URL' } };
    const trust =
      certificates === undefined || !target.isTls
        ? {}
        : { secureContext: await createSecureContextWith(certificates, environment) };
    let isLate = false;
    let expire = () => {};
    const expired = new Promise<never>((_, reject) => {
      expire = () => {
        isLate = true;
        reject(new Error('too late'));
      };
    });
    expired.catch(() => {});
    const inTime = <T>(work: Promise<T>) => Promise.race([expired, work]);
    const limit = clock.limit(timeoutMs, expire);
    let socket: Socket | undefined;
    try {
      result.isProxied = !connectTo && chosenProxy(target, environment) !== '';
      if (!connectTo) result.addresses = await inTime(findAddresses(target));
      if (result.isProxied) return result;
      stage = 'connection';
      socket = await openSocket(target, options);
      await inTime(reached(socket, 'connect'));
      if (!target.isTls) return result;
      stage = 'tls';
      const secure = await startTls(socket, target, trust);
      await inTime(reached(secure, 'secureConnect'));
      return { ...result, certificate: describeCertificate(secure) };
    } catch (error) {
      if (result.isProxied) return result;
      const fault = isLate ? 'timeout' : connectFault(error, stage === 'tls');
      const said = isLate ? { detail: `no response within ${timeoutMs} ms` } : describeError(error, fault);
      return { ...result, fault: { stage, fault, ...said } };
    } finally {
      limit.cancel();
      socket?.destroy();
    }
  };
}

async function findAddresses({ hostname }: Target): Promise<readonly string[]> {
  const { promises: dns } = await import('node:dns');
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
}

async function openSocket(target: Target, options: InspectOptions): Promise<Socket> {
  const { connect } = await import('node:net');
  const address = await chooseAddress(target, options);
  if (address instanceof Error) throw address;
  return connect({ ...address, autoSelectFamilyAttemptTimeout: 1000 });
}

async function startTls(
  socket: Socket,
  { hostname }: Target,
  trust: { readonly secureContext?: SecureContext },
): Promise<TLSSocket> {
  const [{ connect, checkServerIdentity }, { isIP }] = await Promise.all([
    import('node:tls'),
    import('node:net'),
  ]);
  return connect({
    socket,
    ...(isIP(hostname) ? {} : { servername: hostname }),
    // Safe: nothing is sent on this connection, and we want to know what is wrong with the certificate.
    rejectUnauthorized: false,
    checkServerIdentity: (_, certificate) => checkServerIdentity(hostname, certificate),
    ...trust,
  });
}

/** Rejects on an error or an early end. */
function reached(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    // Keep this listener: a later error without one would end the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once(event, resolve);
  });
}

function describeCertificate(socket: TLSSocket): PeerCertificate {
  const certificate = socket.getPeerCertificate();
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '');
  const subject = nameOf(certificate.subject);
  return {
    names: names.length === 0 && subject !== '' ? [subject] : names,
    issuer: nameOf(certificate.issuer),
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    // Node's types call this an error, but it is the error's code.
    ...(socket.authorized ? {} : { distrust: String(socket.authorizationError) }),
  };
}

/** Returns the common name or the organisation. A name may have several of each, although Node's types deny it. */
function nameOf(name: NodeCertificate['subject'] | undefined): string {
  return [name?.CN, name?.O].map((part) => [part ?? ''].flat().join(', ')).find((part) => part !== '') ?? '';
}
