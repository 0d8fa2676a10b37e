// A session bus of our own between the keychain's library and the real one. The library waits without end for a service
// that does not answer, in a thread that keeps even process.exit waiting; when its bus hangs up, it gives up at once.

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './world.ts';

const variable = 'DBUS_SESSION_BUS_ADDRESS';

export interface BusRelay {
  /** Why the real bus could not be reached; nothing where it could. */
  readonly unreachable: () => string | undefined;
  /** Ends whatever the library waits for, and points it to the real bus again. */
  hangUp(): void;
}

/**
 * Points the library of this process to a relay: one at a time. Nothing where the bus is reached in another way than by
 * a socket, or where there is no room for a socket of our own.
 */
export async function openBusRelay(environment: Environment): Promise<BusRelay | undefined> {
  const bus = busAddress(environment);
  if (bus === undefined) return undefined;
  let unreachable: string | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((library) => {
    const real = connect(bus);
    for (const [one, other] of [
      [library, real],
      [real, library],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
      one.pipe(other);
    }
    real.on('error', (error) => {
      unreachable = error.message;
    });
  });
  const folder = await createPrivateFolder();
  if (folder === undefined) return undefined;
  const path = join(folder, 'bus');
  const isListening = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false)).listen(path, () => resolve(true));
  });
  const before = process.env[variable];
  const hangUp = () => {
    process.off('exit', hangUp);
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
    for (const socket of sockets) socket.destroy();
    server.close();
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // An empty folder that nobody else can read is left behind.
    }
  };
  if (!isListening) {
    hangUp();
    return undefined;
  }
  // An interrupted command ends before the library has.
  process.on('exit', hangUp);
  process.env[variable] = `unix:path=${encodeURIComponent(path).replaceAll('%2F', '/')}`;
  return { unreachable: () => unreachable, hangUp };
}

/** That no other user may enter: whoever connects speaks to the bus as this user. */
function createPrivateFolder(): Promise<string | undefined> {
  return mkdtemp(join(tmpdir(), 'wm-bus-')).catch(() => undefined);
}

/** The socket of the bus; nothing where it is reached in another way. */
function busAddress(environment: Environment): string | undefined {
  const given = environment[variable];
  if (!given) return `${environment['XDG_RUNTIME_DIR']}/bus`;
  const [, kind, name] = /^unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(given) ?? [];
  if (name === undefined) return undefined;
  const path = decodeURIComponent(name);
  return kind === 'path' ? path : `\0${path}`;
}
