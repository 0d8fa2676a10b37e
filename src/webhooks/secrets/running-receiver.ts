// Notes which `wm webhook listen` uses an address and port and where its secret is stored, so that commands can sign what they
// send there. Each address and port has a file, which names the secret and does not contain it.

import { join } from 'node:path';
import { isLoopback } from '#contract/hook-url.ts';
import { choice, list, number, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { readRecord, writeRecord } from '#local-records/json-records.ts';
import type { World } from '#world/world.ts';

const runningReceiver = object('receiver', {
  host: text('host'),
  pid: number('process'),
  /** The process holds this file locked while it runs; an unlocked file means that it was killed and left its note. */
  lock: text('path'),
  secrets: list(text('source')),
  /** Where the secret that wm generated for its journal is stored. */
  own: optional(
    object('own secret', { journal: text('path'), store: choice('token store', ['keychain', 'file']) }),
  ),
});

export type RunningReceiver = TypeOf<typeof runningReceiver>;

function pathOf({ files }: Pick<World, 'files'>, host: string, port: number | string): string {
  // Windows has no colons in the names of files.
  return join(files.stateFolder, 'receivers', `${port}-${host.replaceAll(':', '_')}.json`);
}

/** Never rejects: only other commands need the note. Resolves with a function that removes it. */
export async function noteRunningReceiver(
  world: Pick<World, 'files'>,
  port: number,
  receiver: RunningReceiver,
): Promise<() => Promise<void>> {
  const path = pathOf(world, receiver.host, port);
  await writeRecord(world.files, path, receiver).catch(() => {});
  return async () => void (await world.files.remove(path).catch(() => {}));
}

/** The receiver at a URL of this machine; undefined if this user has no `listen` running there. */
export async function findRunningReceiver(world: Pick<World, 'files' | 'lock'>, url: string) {
  const { protocol, hostname, port } = new URL(url);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol !== 'http:' || (name !== 'localhost' && !isLoopback(name))) return undefined;
  for (const host of [...(name === 'localhost' ? ['127.0.0.1', '::1'] : [name]), '0.0.0.0', '::']) {
    const receiver = await readNote(world, pathOf(world, host, port || '80')).catch(() => undefined);
    if (receiver) return receiver;
  }
  return undefined;
}

async function readNote({ files, lock }: Pick<World, 'files' | 'lock'>, path: string) {
  const note = await readRecord(files, path, runningReceiver);
  const isHolder = note && (await lock.holder(note.lock))?.pid === note.pid;
  return isHolder && (await lock.isHeld(note.lock)) ? note : undefined;
}
