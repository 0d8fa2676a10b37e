// The status of the forwarders of a sink: where each of them sends, and which targets it cannot reach. Each has a slot in the progress
// stream, in which the last message is the current one. `webhook log --stuck` and `webhook replay` read it, maybe on another machine.

import { parseJsonIfValid } from '../../../contract/json.ts';
import {
  boolean,
  list,
  number,
  object,
  readLeniently,
  type TypeOf,
  text,
  unlessInvalid,
} from '../../../contract/schema.ts';
import { sinkStreams, sinkSubjects } from '../../../receiver/sink/sink-layout.ts';
import type { NatsConnection } from '../../../world/world.ts';
import { type Forwarding, forwardingMembers } from '../listen/forwarding-file.ts';

const forwarder = object('forwarder', {
  ...forwardingMembers,
  /** Identifies the process. */
  holder: text('holder'),
  host: text('host'),
  pid: number('process'),
  /** The targets that are not recorded in full: their URL has a query, which may be a secret. */
  partial: list(text('target')),
  hasEnded: boolean,
});

export type ForwarderStatus = TypeOf<typeof forwarder>;

export interface SinkForwarder extends ForwarderStatus {
  readonly number: number;
  /** The sequence number of its message. */
  readonly at: number;
  /** When the stream stored that. */
  readonly heardAt: number;
  /** As far as that can be known. */
  readonly isRunning: boolean;
}

/** How often a forwarder that runs records its status. */
export const heartbeatMs = 20_000;
/** After this time without a new status, it was probably killed or is cut off. */
const silentMs = 90_000;

/** Rejects if the servers do not respond. */
export async function readSinkForwarders(
  nats: Pick<NatsConnection, 'readAll'>,
  stream: string,
  now: number,
): Promise<readonly SinkForwarder[]> {
  const found = new Map<number, SinkForwarder>();
  const subject = sinkSubjects.forwarder(stream, '*');
  for await (const message of nats.readAll(sinkStreams(stream).progress, { from: 1, subject })) {
    const parsed = parseJsonIfValid(new TextDecoder().decode(message.payload));
    const status = unlessInvalid(() => readLeniently(forwarder, parsed));
    const slot = Number(message.subject.slice(message.subject.lastIndexOf('.') + 1));
    const isRunning = status !== undefined && !status.hasEnded && now - message.time < silentMs;
    if (status === undefined) found.delete(slot);
    else if (Number.isSafeInteger(slot))
      found.set(slot, { ...status, number: slot, at: message.sequence, heardAt: message.time, isRunning });
  }
  return [...found.values()];
}

/** Those that run. If none does, the last one that did, which may have been killed. */
export function currentForwarders(all: readonly SinkForwarder[]): readonly SinkForwarder[] {
  const running = all.filter(({ isRunning }) => isRunning);
  if (running.length > 0) return running;
  const last = all.toSorted((one, other) => other.heardAt - one.heardAt)[0];
  return last === undefined ? [] : [last];
}

/** Where all of them together send; `undefined` if none has run yet. */
export function forwardingOf(all: readonly SinkForwarder[]): Forwarding | undefined {
  const current = currentForwarders(all);
  if (current.length === 0) return undefined;
  const routes = current.flatMap((one) => one.routes);
  return {
    routes: routes.filter((route, at) => routes.findIndex((other) => isSame(route, other)) === at),
    rest: [...new Set(current.flatMap(({ rest }) => rest))],
    every: [...new Set(current.flatMap(({ every }) => every))],
    outages: outagesOf(current.filter(({ isRunning }) => isRunning)),
  };
}

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Each since the first forwarder noticed it. Some forwarders may reach a target that others do not. */
function outagesOf(running: readonly SinkForwarder[]): Forwarding['outages'] {
  const byTarget = new Map<string, Forwarding['outages'][number][]>();
  for (const { target, ...one } of running.flatMap(({ outages }) => outages))
    byTarget.set(target, [...(byTarget.get(target) ?? []), { target, ...one }]);
  return [...byTarget].flatMap(([target, outages]) => {
    const [first] = outages.toSorted((one, other) => one.since - other.since);
    const senders = running.filter((one) => targetsOf(one).includes(target)).length;
    if (first === undefined) return [];
    const isPartial = outages.length < senders;
    return [
      {
        ...first,
        fault: isPartial ? `${first.fault} (${outages.length} of ${senders} forwarders)` : first.fault,
      },
    ];
  });
}

export function targetsOf({ routes, rest, every }: Forwarding): readonly string[] {
  return [...routes.map(({ target }) => target), ...rest, ...every];
}
