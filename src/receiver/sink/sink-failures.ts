// Says for each fault of the NATS servers what happened, why, and what to do.

import { joinWithAnd } from '#contract/format-list.ts';
import { Failure } from '#failure.ts';
import type { NatsFault } from '#world/world.ts';
import type { SinkUrl } from '../archive/storage-flags.ts';
import { isFault } from './jetstream/sink-faults.ts';

const credentials = '--sink-creds, WM_SINK_USER and WM_SINK_PASSWORD, WM_SINK_TOKEN or WM_SINK_NKEY';
const quorumHint =
  'More than half of the servers must be running, in touch with each other, and have room on their disks.';

export function sinkFailure({ fault, detail }: NatsFault, url: SinkUrl): Failure {
  const where = url.servers.join(', ');
  const network = (message: string, hint: string) => new Failure('network', { message, why: detail, hint });
  if (fault === 'not-allowed')
    return new Failure('forbidden', {
      message: /permission/i.test(detail)
        ? `NATS on ${where} denied wm permission`
        : `NATS on ${where} denied wm access`,
      why: detail,
      hint: `Check the credentials (${credentials}), and that their account has JetStream.`,
    });
  if (fault === 'no-peers')
    return new Failure('usage', {
      message: `NATS on ${where} has too few servers for so many copies`,
      why: detail,
      hint: 'Start more servers of the cluster, or give a smaller --replicas.',
    });
  if (/does not support 'tls'|not available on this server/.test(detail))
    return network(
      `NATS on ${where} does not encrypt its connections`,
      'Turn on TLS in the configuration of the servers, or write nats:// in place of tls://.',
    );
  if (/certificate/.test(detail))
    return network(
      `wm does not trust the certificate of NATS on ${where}`,
      'Give the certificate of the authority that issued it: --sink-ca FILE',
    );
  if (/jetstream (?:is )?not enabled/i.test(detail))
    return network(
      `NATS on ${where} has no JetStream`,
      'Add a jetstream block to the configuration of each server. One that has just started needs a moment to find the others.',
    );
  if (fault === 'unreachable' || fault === 'closed')
    return network(
      `Cannot reach NATS on ${where}`,
      'Check that the servers are running, and that the port is the one for clients (usually 4222).',
    );
  if (fault === 'no-quorum') return network(`NATS on ${where} has no quorum`, quorumHint);
  if (fault === 'timeout')
    return network(
      `NATS on ${where} did not respond in time`,
      `${quorumHint} The port must be the one for clients (usually 4222).`,
    );
  return network(`NATS on ${where} rejected a request`, 'The logs of the servers may say more.');
}

/** Returns the fault behind an error that reading a stream threw. */
export const faultOf = (error: unknown): NatsFault | undefined =>
  error instanceof Error && isFault(error.cause) ? error.cause : undefined;

/** `nats-1 and nats-2 do` */
export const doOrDoes = (names: readonly string[]) =>
  `${joinWithAnd(names)} ${names.length === 1 ? 'does' : 'do'}`;
