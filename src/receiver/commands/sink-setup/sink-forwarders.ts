// Writes and reads the status of a sink's forwarders: where each sends, and which targets it cannot reach. A forwarder writes it to
// NAME-state at its start, at each change, at intervals, and at its end; `webhook log --stuck` and `webhook replay` read it.

import type { LastTarget } from '#cli/journal-folder.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import * as schema from '#contract/schema.ts';
import type { Routes } from '#receiver/forwarding/target-choice.ts';
import { checkTargetUrl } from '#receiver/forwarding/target-url.ts';
import { sinkStreams, sinkSubjects } from '#receiver/sink/sink-layout.ts';
import type { NatsConnection, World } from '#world/world.ts';
import {
  type Forwarding,
  type ForwardingRecord,
  followForwarding,
  forwardingMembers,
} from '../listening/forwarding-file.ts';

const forwarder = schema.object('forwarder', {
  ...forwardingMembers,
  host: schema.text('host'),
  pid: schema.number('process'),
  /** Targets that are not recorded in full, because the query of their URL may be a secret. */
  partial: schema.list(schema.text('target')),
  hasEnded: schema.boolean,
});

export type ForwarderStatus = schema.TypeOf<typeof forwarder>;

export interface SinkForwarder extends ForwarderStatus {
  /** When the stream stored it. */
  readonly heardAt: number;
  /** Whether the forwarder runs, as far as its messages show. */
  readonly isRunning: boolean;
}

/** How often a running forwarder writes its status, and retries a failed write. */
const heartbeatMs = 20_000;
const tryAgainMs = 5_000;
/** After this time without a new status, the forwarder was probably killed or is cut off. */
const silentMs = 90_000;
const publishMs = 3_000;

/** Rejects if the servers do not respond. */
export async function readSinkForwarders(
  nats: Pick<NatsConnection, 'readAll'>,
  stream: string,
  now: number,
): Promise<readonly SinkForwarder[]> {
  const found: SinkForwarder[] = [];
  const all = { from: 1, subject: sinkSubjects.forwarder(stream, '*') };
  for await (const { payload, time } of nats.readAll(sinkStreams(stream).state, all)) {
    const parsed = parseJsonIfValid(new TextDecoder().decode(payload));
    const status = schema.unlessInvalid(() => schema.readLeniently(forwarder, parsed));
    if (status)
      found.push({ ...status, heardAt: time, isRunning: !status.hasEnded && now - time < silentMs });
  }
  return found;
}

/** The running forwarders; without any, the last one, which may have been killed. */
export function currentForwarders(all: readonly SinkForwarder[]): readonly SinkForwarder[] {
  const running = all.filter(({ isRunning }) => isRunning);
  const inOrder = all.toSorted((one, other) => other.heardAt - one.heardAt);
  return running.length > 0 ? running : inOrder.slice(0, 1);
}

/** Combines the targets of all forwarders; `undefined` if none has run yet. */
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

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Lists outages since a forwarder first noticed them. Other forwarders may still reach the target. */
function outagesOf(running: readonly SinkForwarder[]): Forwarding['outages'] {
  const all = running.flatMap(({ outages }) => outages).toSorted((one, other) => one.since - other.since);
  const first = all.filter(({ target }, at) => all.findIndex((other) => other.target === target) === at);
  return first.map((one) => {
    const count = all.filter(({ target }) => target === one.target).length;
    const senders = running.filter((other) => targetsOf(other).includes(one.target)).length;
    return count < senders ? { ...one, fault: `${one.fault} (${count} of ${senders} forwarders)` } : one;
  });
}

/** All targets, each once. */
export const targetsOf = ({ routes, rest, every }: Routes<string>): readonly string[] => [
  ...new Set([...rest, ...routes.map(({ target }) => target), ...every]),
];

export interface ForwarderRecord extends ForwardingRecord {
  /** Records that the forwarder has stopped. Never rejects. */
  end(): Promise<void>;
}

/** Records the status in the background: a forwarder works without it. `holder` identifies this process. */
export function recordForwarder(
  nats: Pick<NatsConnection, 'publish'>,
  clock: World['clock'],
  stream: string,
  { holder, ...self }: Pick<ForwarderStatus, 'host' | 'pid' | 'partial'> & { readonly holder: string },
  routing: Routes<string>,
): ForwarderRecord {
  const to = { stream: sinkStreams(stream).state, timeoutMs: publishMs };
  let last: Forwarding = { ...routing, outages: [] };
  let hasEnded = false;
  let cancel = () => {};
  const write = async () => {
    const payload = new TextEncoder().encode(JSON.stringify({ ...last, ...self, hasEnded }));
    const written = await nats.publish(sinkSubjects.forwarder(stream, holder), payload, to);
    cancel();
    if (!hasEnded) cancel = clock.after('fault' in written ? tryAgainMs : heartbeatMs, () => void write());
  };
  const following = followForwarding({ clock }, routing, (now) => {
    last = now;
    return write();
  });
  return {
    ...following,
    end() {
      hasEnded = true;
      return write();
    },
  };
}

type Known = LastTarget | { readonly problem: string };

/** The default target of `webhook replay`: where the forwarders send. `host`: this machine. `problem`: why it is unknown. */
export function lastSinkTarget(all: readonly SinkForwarder[], host: string): Known {
  const current = currentForwarders(all);
  const [first, ...others] = current;
  if (first === undefined) return { problem: 'no forwarder of this sink has recorded where it sends' };
  const routingOf = ({ rest, routes, every, partial }: SinkForwarder) => ({ rest, routes, every, partial });
  if (others.some((one) => !isSame(routingOf(one), routingOf(first))))
    return { problem: 'the forwarders of this sink do not all send to the same targets' };
  const known = lastTargetOf(first);
  const local = 'problem' in known ? [] : targetsOf(first).filter(isOnThisMachine);
  if (local.length > 0 && current.every((one) => one.host !== host))
    return {
      problem: `${joinWithAnd(local)} is on the machine of the forwarder, ${first.host}, and this is another one`,
    };
  return known;
}

/** The targets of one forwarder. */
export function lastTargetOf(status: Routes<string> & Pick<SinkForwarder, 'partial'>): Known {
  const { rest, routes, every } = status;
  const names = targetsOf({ ...status, every: [] });
  // Not even to a URL of the forwarder: a delivery that its command did not accept must not go there.
  if (names.length === 0 || every.length > 0)
    return { problem: 'the forwarders of this sink run a command, which they do not record' };
  if (!names.every(isUsable)) return { problem: 'the target that is recorded in the sink is not a URL' };
  const partial = names.filter((name) => status.partial.includes(name));
  if (partial.length > 0)
    return {
      problem: `the forwarders send to ${joinWithAnd(partial)} with a query or a host that they do not record`,
    };
  const [forwardTo] = rest;
  return {
    ...(forwardTo !== undefined && { forwardTo }),
    ...(routes.length > 0 && { routes: routes.map(({ events, target: url }) => ({ events, url })) }),
  };
}

/** Checks the URL, since anyone who can write to the sink may have recorded it. */
function isUsable(url: string): boolean {
  try {
    return checkTargetUrl(url, '') === url;
  } catch {
    return false;
  }
}

const isOnThisMachine = (url: string) =>
  /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|localhost|.+\.localhost)$/i.test(new URL(url).hostname);
