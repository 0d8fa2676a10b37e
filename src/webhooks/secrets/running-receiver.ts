// Which `wm webhook listen` of this user listens on a port of this machine, and where its secret is: a file for each port, which names
// the secret and does not contain it, so that commands that send to a receiver can sign for it.

import { join } from 'node:path';
import { joinWithAnd } from '#contract/format-list.ts';
import { isLoopback } from '#contract/hook-url.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import {
  choice,
  list,
  number,
  object,
  optional,
  readLeniently,
  type TypeOf,
  text,
  unlessInvalid,
} from '#contract/schema.ts';
import type { World } from '#world/world.ts';

const runningReceiver = object('receiver', {
  host: text('host'),
  pid: number('process'),
  /** The file that this process holds locked for as long as it runs: one that was killed leaves its note behind. */
  lock: text('path'),
  /** The names of its secrets, for messages. */
  secrets: list(text('source')),
  /** Where the secret is that wm generated for its journal. */
  own: optional(
    object('own secret', { journal: text('path'), store: choice('token store', ['keychain', 'file']) }),
  ),
});

export type RunningReceiver = TypeOf<typeof runningReceiver>;

const maxBytes = 64 * 1024;

function pathOf({ files }: Pick<World, 'files'>, port: number | string): string {
  return join(files.stateFolder, 'receivers', `${port}.json`);
}

/** Never rejects: only other commands need it. Resolves with what removes the note. */
export async function noteRunningReceiver(
  world: Pick<World, 'files'>,
  port: number,
  receiver: RunningReceiver,
): Promise<() => Promise<void>> {
  const path = pathOf(world, port);
  await world.files.write(path, `${JSON.stringify(receiver)}\n`, { mode: 0o600 }).catch(() => {});
  return async () => void (await world.files.remove(path).catch(() => {}));
}

/** The receiver of a URL of this machine; undefined if no `listen` of this user runs there. */
export async function findRunningReceiver(
  world: Pick<World, 'files' | 'lock'>,
  url: string,
): Promise<RunningReceiver | undefined> {
  const { protocol, hostname, port } = new URL(url);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol !== 'http:' || (name !== 'localhost' && !isLoopback(name))) return undefined;
  try {
    const bytes = await world.files.read(pathOf(world, port || '80'), { maxBytes });
    const found = unlessInvalid(() =>
      readLeniently(runningReceiver, parseJsonIfValid(new TextDecoder().decode(bytes))),
    );
    const hosts = [...(name === 'localhost' ? ['127.0.0.1', '::1'] : [name]), '0.0.0.0', '::'];
    if (!found || !hosts.includes(found.host)) return undefined;
    const isHolder = (await world.lock.holder(found.lock))?.pid === found.pid;
    return isHolder && (await world.lock.isHeld(found.lock)) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** For one that was given its secrets. */
export function describeSecretSource({ secrets }: RunningReceiver): string {
  return `The receiver has its secret from ${joinWithAnd(secrets)}. Give the same one: --secret-file FILE, or WM_WEBHOOK_SECRET`;
}
