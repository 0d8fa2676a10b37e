// Follows the way to a host as far as it gets: name, address, connection, certificate. Connects even if the certificate is not
// trusted, to tell the user why. Sends no request.

import type { Socket } from 'node:net';
import type { PeerCertificate as NodeCertificate, TLSSocket } from 'node:tls';
import { checkLiteralAddress, createFilteredLookup } from './http-address-filter.ts';
import { connectFault, errorDetail } from './http-fault.ts';
import { parseTarget, type Target } from './http-target.ts';
import { isProxied } from './proxy-choice.ts';
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
    const target = parseTarget(url);
    const result = { isProxied: false, addresses: [] as readonly string[] };
    if (!target)
      return {
        ...result,
        fault: { stage: 'name', fault: 'unreachable', detail: 'not an http or https URL' },
      };
    const stop = new AbortController();
    const limit = clock.limit(options.timeoutMs, () => stop.abort());
    try {
      result.isProxied = !options.connectTo && isProxied(target, environment);
      if (!options.connectTo) result.addresses = await findAddresses(target, stop.signal);
      if (result.isProxied) return result;
      const socket = await openSocket(target, options, stop.signal);
      try {
        if (!target.isTls) return result;
        return {
          ...result,
          certificate: await readCertificate(socket, target, options, environment, stop.signal),
        };
      } finally {
        socket.destroy();
      }
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      return result.isProxied ? result : { ...result, fault: toFault(error, options, stop.signal.aborted) };
    } finally {
      limit.cancel();
    }
  };
}

/** An error, with the stage that failed. */
class StageError extends Error {
  readonly stage: InspectionFault['stage'];

  constructor(stage: InspectionFault['stage'], cause: unknown) {
    super(errorDetail(cause), { cause });
    this.stage = stage;
  }
}

function toFault(
  { stage, cause, message }: StageError,
  { timeoutMs }: InspectOptions,
  isLate: boolean,
): InspectionFault {
  if (isLate) return { stage, fault: 'timeout', detail: `no response within ${timeoutMs} ms` };
  return { stage, fault: connectFault(cause, stage === 'tls'), detail: message };
}

async function findAddresses({ hostname }: Target, signal: AbortSignal): Promise<readonly string[]> {
  const { promises: dns } = await import('node:dns');
  const records = await withAbort('name', signal, dns.lookup(hostname, { all: true }));
  return records.map(({ address }) => address);
}

async function openSocket(target: Target, options: InspectOptions, signal: AbortSignal): Promise<Socket> {
  const { connect } = await import('node:net');
  const { connectTo, allowAddress } = options;
  const host = connectTo?.host ?? target.hostname;
  const refusal = allowAddress && (await checkLiteralAddress(host, allowAddress));
  if (refusal) throw new StageError('connection', refusal);
  const lookup = allowAddress && (await createFilteredLookup(allowAddress));
  const socket = connect({
    host,
    port: connectTo?.port ?? target.port,
    autoSelectFamilyAttemptTimeout: 1000,
    ...(lookup ? { lookup } : {}),
  });
  await waitFor('connection', socket, 'connect', signal);
  return socket;
}

async function readCertificate(
  socket: Socket,
  { hostname }: Target,
  { certificates }: InspectOptions,
  environment: Environment,
  signal: AbortSignal,
): Promise<PeerCertificate> {
  const [{ connect, checkServerIdentity }, { isIP }] = await Promise.all([
    import('node:tls'),
    import('node:net'),
  ]);
  const secure = connect({
    socket,
    ...(isIP(hostname) ? {} : { servername: hostname }),
    // Safe: nothing is sent on this connection, and we want to know what is wrong with the certificate.
    rejectUnauthorized: false,
    checkServerIdentity: (_, certificate) => checkServerIdentity(hostname, certificate),
    ...(certificates === undefined
      ? {}
      : { secureContext: await createSecureContextWith(certificates, environment) }),
  });
  await waitFor('tls', secure, 'secureConnect', signal);
  return describeCertificate(secure);
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
    subject,
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

/** Rejects with a StageError on an error, an early end or a timeout. */
async function waitFor(
  stage: InspectionFault['stage'],
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const reached = new Promise<void>((resolve, reject) => {
    // Keep this listener: a later error without one would end the process.
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.once(event, resolve);
  });
  try {
    await withAbort(stage, signal, reached);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function withAbort<T>(
  stage: InspectionFault['stage'],
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(new Error('too late'));
    else signal.addEventListener('abort', () => reject(new Error('too late')), { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } catch (error) {
    throw new StageError(stage, error);
  }
}
