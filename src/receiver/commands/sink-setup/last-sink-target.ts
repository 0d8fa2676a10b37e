// Where `webhook replay` sends the deliveries of a sink if no flag says so: where the forwarders send them.

import type { LastTarget } from '#cli/journal-folder.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import type { Routes } from '#receiver/forwarding/target-choice.ts';
import { checkTargetUrl } from '#receiver/forwarding/target-url.ts';
import { currentForwarders, isSame, type SinkForwarder, targetsOf } from './sink-forwarders.ts';

type Known = LastTarget | { readonly problem: string };

/** `host`: this machine. `problem`: why it cannot be known. */
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

/** Where one forwarder sends. */
export function lastTargetOf(status: Routes<string> & Pick<SinkForwarder, 'partial'>): Known {
  const { rest, routes, every } = status;
  const names = targetsOf({ ...status, every: [] });
  // Even if there is a URL too: what the command did not accept must not be sent there.
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

/** Anyone who can write to the sink can have recorded the URL. */
function isUsable(url: string): boolean {
  try {
    return checkTargetUrl(url, '') === url;
  } catch {
    return false;
  }
}

const isOnThisMachine = (url: string) =>
  /^(?:127\.[\d.]+|0\.0\.0\.0|\[::1?\]|localhost|.+\.localhost)$/i.test(new URL(url).hostname);
