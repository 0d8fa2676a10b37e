// Writes and reads the status of a sink's forwarders: where each sends, and which targets it cannot reach. A forwarder writes it to
// NAME-state at its start, at each change, at intervals, and at its end; `webhook log --stuck` and `webhook replay` read it.

import type { Context } from '#cli/context.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import * as schema from '#contract/schema.ts';
import { parseRecord } from '#local-records/json-records.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { RecordedTarget } from '../archive/deliveries/delivery-archive.ts';
import {
  type Forwarding,
  followForwarding,
  forwardingMembers,
} from '../archive/deliveries/forwarding-file.ts';
import { checkTargetUrl, type Routes } from '../core/forwarding/target.ts';
import { readStream } from './jetstream/sink-entries.ts';
import type { Sink } from './jetstream/sink-layout.ts';

const forwarder = schema.object('forwarder', {
  ...forwardingMembers,
  host: schema.text('host'),
  pid: schema.number('process'),
  /** Targets that are not recorded in full, because the query of their URL may be a secret. */
  partial: schema.list(schema.text('target')),
  hasEnded: schema.boolean,
});

type ForwarderStatus = schema.TypeOf<typeof forwarder>;

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
export async function readSinkForwarders(sink: Sink): Promise<readonly SinkForwarder[]> {
  const { clock, names } = sink;
  const now = clock.now();
  const forwarders: SinkForwarder[] = [];
  const options = { from: 1, subject: names.forwarder('*') };
  for await (const { payload, time } of readStream(sink, names.state, options)) {
    const status = parseRecord(forwarder, new TextDecoder().decode(payload));
    if (status)
      forwarders.push({ ...status, heardAt: time, isRunning: !status.hasEnded && now - time < silentMs });
  }
  return forwarders;
}

/** The running forwarders; without any, the last one, which may have been killed. */
export function currentForwarders(forwarders: readonly SinkForwarder[]): readonly SinkForwarder[] {
  const running = forwarders.filter(({ isRunning }) => isRunning);
  return running.length > 0 ? running : forwarders.toSorted((a, b) => b.heardAt - a.heardAt).slice(0, 1);
}

/** Combines the targets of all forwarders; `undefined` if none has run yet. */
export function forwardingOf(forwarders: readonly SinkForwarder[]): Forwarding | undefined {
  const current = currentForwarders(forwarders);
  if (current.length === 0) return undefined;
  const routes = current.flatMap((forwarder) => forwarder.routes);
  return {
    routes: [...new Map(routes.map((route) => [JSON.stringify(route), route])).values()],
    rest: [...new Set(current.flatMap(({ rest }) => rest))],
    every: [...new Set(current.flatMap(({ every }) => every))],
    outages: outagesOf(current.filter(({ isRunning }) => isRunning)),
  };
}

/** Lists outages since a forwarder first noticed them. Other forwarders may still reach the target. */
function outagesOf(running: readonly SinkForwarder[]): Forwarding['outages'] {
  const newestFirst = running.flatMap(({ outages }) => outages).toSorted((a, b) => b.since - a.since);
  const firsts = new Map(newestFirst.map((outage) => [outage.target, outage])).values();
  return [...firsts].map((first) => {
    const count = newestFirst.filter(({ target }) => target === first.target).length;
    const senders = running.filter((forwarder) => targetsOf(forwarder).includes(first.target)).length;
    return count < senders
      ? { ...first, fault: `${first.fault} (${count} of ${senders} forwarders)` }
      : first;
  });
}

export const targetsOf = ({ routes, rest, every }: Routes<string>): readonly string[] => [
  ...new Set([...rest, ...routes.map(({ target }) => target), ...every]),
];

/** Records the status in the background: a forwarder works without it. */
export function recordForwarder(
  { nats, clock, names, randomBytes }: Sink,
  self: Pick<ForwarderStatus, 'host' | 'pid' | 'partial'>,
  routing: Routes<string>,
) {
  const subject = names.forwarder(randomBytes(12).toString('hex'));
  const to = { stream: names.state, timeoutMs: publishMs };
  let last: Forwarding = { ...routing, outages: [] };
  let hasEnded = false;
  let cancel = () => {};
  const write = async () => {
    const status = JSON.stringify({ ...last, ...self, hasEnded });
    const written = await nats.publish(subject, status, to);
    cancel();
    if (!hasEnded) cancel = clock.after('fault' in written ? tryAgainMs : heartbeatMs, () => void write());
  };
  const { onActivity } = followForwarding({ clock }, routing, (now) => {
    last = now;
    return write();
  });
  return {
    onActivity,
    /** Records that the forwarder has stopped. Never rejects. */
    end() {
      hasEnded = true;
      return write();
    },
  };
}

/** The default target of `webhook replay`: where the forwarders send. Rejects if the servers do not respond. */
export async function lastSinkTarget(sink: Sink, { world }: Pick<Context, 'world'>): Promise<RecordedTarget> {
  const current = currentForwarders(await readSinkForwarders(sink));
  const [first, ...later] = current;
  if (first === undefined) return { problem: 'no forwarder of this sink has recorded where it sends' };
  const routingOf = ({ rest, routes, every, partial }: SinkForwarder) =>
    JSON.stringify({ rest, routes, every, partial });
  if (later.some((forwarder) => routingOf(forwarder) !== routingOf(first)))
    return { problem: 'the forwarders of this sink do not all send to the same targets' };
  const target = lastTargetOf(first);
  if ('problem' in target) return target;
  const local = targetsOf(first).filter(isOnThisMachine);
  if (local.length > 0 && current.every(({ host }) => host !== world.process.host))
    return {
      problem: `${joinWithAnd(local)} is on the machine of the forwarder, ${first.host}, not on this one`,
    };
  return target;
}

export function lastTargetOf(status: Routes<string> & Pick<SinkForwarder, 'partial'>): RecordedTarget {
  const { rest, routes, every } = status;
  const names = targetsOf({ ...status, every: [] });
  // Do not choose its URLs instead: a delivery that the command did not accept must not go there.
  if (names.length === 0 || every.length > 0)
    return { problem: 'the forwarders of this sink run a command, which they do not record' };
  if (!names.every(isUsable)) return { problem: 'the target that is recorded in the sink is not a URL' };
  const partial = names.filter((name) => status.partial.includes(name));
  if (partial.length > 0)
    return {
      problem: `the forwarders send to ${joinWithAnd(partial)} with a query or a host that they do not record`,
    };
  return {
    ...omitUndefined({ forwardTo: rest[0] }),
    ...(routes.length > 0 && { routes: routes.map(({ events, target: url }) => ({ events, url })) }),
  };
}

const mostNamed = 5;

export function nameProcesses(forwarders: readonly SinkForwarder[]): string {
  const names = forwarders.map(({ pid, host }) => `process ${pid} on ${sanitizeLine(host)}`);
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : joinWithAnd(names);
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
