// Writes and reads the status of a sink's forwarders: where each sends, and which targets it cannot reach. A forwarder writes it to
// NAME-state at its start, at each change, at intervals, and at its end; `webhook log --stuck` and `webhook replay` read it.

import type { LastTarget } from '#cli/journal-folder.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import * as schema from '#contract/schema.ts';
import type { Routes } from '#receiver/forwarding/target-choice.ts';
import { checkTargetUrl } from '#receiver/forwarding/target-url.ts';
import { type Sink, sinkStreams, sinkSubjects } from '#receiver/sink/sink-layout.ts';
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
export async function readSinkForwarders({ nats, clock, stream }: Sink): Promise<readonly SinkForwarder[]> {
  const now = clock.now();
  const forwarders: SinkForwarder[] = [];
  const options = { from: 1, subject: sinkSubjects.forwarder(stream, '*') };
  for await (const { payload, time } of nats.readAll(sinkStreams(stream).state, options)) {
    const parsed = parseJsonIfValid(new TextDecoder().decode(payload));
    const status = schema.unlessInvalid(() => schema.readLeniently(forwarder, parsed));
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
    routes: routes.filter((route, index) => routes.findIndex((first) => isSame(route, first)) === index),
    rest: [...new Set(current.flatMap(({ rest }) => rest))],
    every: [...new Set(current.flatMap(({ every }) => every))],
    outages: outagesOf(current.filter(({ isRunning }) => isRunning)),
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Lists outages since a forwarder first noticed them. Other forwarders may still reach the target. */
function outagesOf(running: readonly SinkForwarder[]): Forwarding['outages'] {
  const all = running.flatMap(({ outages }) => outages).toSorted((a, b) => a.since - b.since);
  const firsts = all.filter(
    ({ target }, index) => all.findIndex((first) => first.target === target) === index,
  );
  return firsts.map((first) => {
    const count = all.filter(({ target }) => target === first.target).length;
    const senders = running.filter((forwarder) => targetsOf(forwarder).includes(first.target)).length;
    return count < senders
      ? { ...first, fault: `${first.fault} (${count} of ${senders} forwarders)` }
      : first;
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
  { nats, clock, stream }: Sink,
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

type TargetLookup = LastTarget | { readonly problem: string };

/** The default target of `webhook replay`: where the forwarders send. `host`: this machine. `problem`: why it is unknown. */
export function lastSinkTarget(forwarders: readonly SinkForwarder[], host: string): TargetLookup {
  const current = currentForwarders(forwarders);
  const [first, ...later] = current;
  if (first === undefined) return { problem: 'no forwarder of this sink has recorded where it sends' };
  const routingOf = ({ rest, routes, every, partial }: SinkForwarder) => ({ rest, routes, every, partial });
  if (later.some((forwarder) => !isSame(routingOf(forwarder), routingOf(first))))
    return { problem: 'the forwarders of this sink do not all send to the same targets' };
  const target = lastTargetOf(first);
  const local = 'problem' in target ? [] : targetsOf(first).filter(isOnThisMachine);
  if (local.length > 0 && current.every((forwarder) => forwarder.host !== host))
    return {
      problem: `${joinWithAnd(local)} is on the machine of the forwarder, ${first.host}, not on this one`,
    };
  return target;
}

/** The targets of one forwarder. */
export function lastTargetOf(status: Routes<string> & Pick<SinkForwarder, 'partial'>): TargetLookup {
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
