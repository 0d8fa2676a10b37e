// Creates the failures of a sink: what happened, why, and what to do.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { commandHint, Failure } from '#failure.ts';
import { isFault } from '#receiver/sink/sink-faults.ts';
import { lacksQuorum, minServerVersion, unhealthyCopies, type Weakness } from '#receiver/sink/sink-layout.ts';
import type { SinkUrl } from '#receiver/sink/sink-url.ts';
import type { NatsFault, NatsStream } from '#world/world.ts';

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
export function toFault(error: unknown): NatsFault {
  const [cause, detail] = error instanceof Error ? [error.cause, error.message] : [undefined, String(error)];
  return isFault(cause) ? cause : { fault: 'failed', detail };
}

export const toSinkFailure = (error: unknown, url: SinkUrl): Failure =>
  error instanceof Failure ? error : sinkFailure(toFault(error), url);

export function oldServer(server: string, version: string): Failure {
  return new Failure('check_failed', {
    message: `NATS on ${server} has version ${version === '' ? 'unknown' : version}; a sink needs ${minServerVersion} or newer`,
    why: 'older servers lost deliveries in tests, when they were killed',
    hint: 'Install a newer nats-server on all of the servers: https://github.com/nats-io/nats-server/releases',
  });
}

export function earlierSink({ stream }: SinkUrl): Failure {
  return new Failure('check_failed', {
    message: `The sink ${stream} was created by an earlier version of wm`,
    why: 'its streams are laid out differently, and this version would forward everything again',
    hint: 'With the previous version, stop the receivers, and forward until `wm webhook log --stuck` lists nothing. Then create a sink with another name with this version.',
  });
}

export function weakSink({ stream }: SinkUrl, weaknesses: readonly Weakness[]): Failure {
  const byText = new Map<string, string[]>();
  for (const weakness of weaknesses)
    byText.set(weakness.text, [...(byText.get(weakness.text) ?? []), weakness.stream]);
  const edits = [...new Set(weaknesses.map((weakness) => `nats stream edit ${weakness.stream}`))];
  const lines = [...byText].map(([text, streams]) => `${streams.join(', ')}: ${text}`);
  return new Failure('check_failed', {
    message: `The settings of the sink ${stream} are too weak. ${lines.join('. ')}`,
    why: weaknesses.every(({ onlyReading }) => onlyReading)
      ? 'its deliveries could not be read'
      : 'it could lose deliveries unnoticed',
    hint: `Change the streams with NATS's own command (${edits.join(', ')}), or create a sink with another name.`,
  });
}

/** `sinks`: the names of the existing sinks. */
export function noStream(
  context: Pick<Context, 'world' | 'common'>,
  url: SinkUrl,
  name: string,
  sinks: readonly string[],
): Failure {
  const isIncomplete = name !== url.stream;
  const create = formatCommandWith(context, 'webhook sink', ['create', url.text]);
  const sinkList =
    isIncomplete || sinks.length === 0 ? undefined : `The sinks there are: ${sinks.join(', ')}. `;
  return new Failure('not_found', {
    message: `Stream ${name} does not exist on ${url.servers.join(', ')}`,
    hint:
      sinkList === undefined
        ? commandHint(`To create ${isIncomplete ? 'the missing streams' : 'the sink'}: `, create)
        : `${sinkList}To create another: ${create}`,
  });
}

/** `nats-1 and nats-2 do` */
export const doOrDoes = (names: readonly string[]) =>
  `${joinWithAnd(names)} ${names.length === 1 ? 'does' : 'do'}`;

/** Returns `undefined` if enough of the servers with a copy respond. */
export function noQuorum({ stream }: SinkUrl, streams: readonly NatsStream[]): Failure | undefined {
  const without = streams.find(lacksQuorum);
  if (without === undefined) return undefined;
  const { silent } = unhealthyCopies(without);
  return new Failure('network', {
    message: `The sink ${stream} has no quorum: ${without.cluster?.leader !== undefined ? `${doOrDoes(silent)} not respond` : 'its servers have no leader'}`,
    why: 'receivers respond with 503 until more than half of the servers are back',
    hint: 'Start the servers that do not respond, and check their logs.',
  });
}
