// Puts a session bus between the keychain library and the real one. The library waits forever for a service that does not respond,
// in a thread that blocks even process.exit. But it gives up at once when its bus closes the connection.

import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './world.ts';

const variable = 'DBUS_SESSION_BUS_ADDRESS';

/** Points the library to a relay; only one at a time. Returns `undefined` if the bus has no Unix socket, or on failure. */
export async function openBusRelay(environment: Environment) {
  const bus = busAddress(environment);
  if (bus === undefined) return undefined;
  let unreachable: string | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((library) => {
    const real = connect(bus);
    for (const [socket, peer] of [
      [library, real],
      [real, library],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => peer.destroy());
      socket.pipe(peer);
    }
    real.on('error', (error) => {
      unreachable = error.message;
    });
  });
  // No other user may enter it: a client of the relay acts as this user.
  const folder = await mkdtemp(join(tmpdir(), 'wm-bus-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const path = join(folder, 'bus');
  const isListening = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false)).listen(path, () => resolve(true));
  });
  const realAddress = process.env[variable];
  /** Ends every wait of the library, and points it to the real bus again. */
  const hangUp = () => {
    process.off('exit', hangUp);
    if (realAddress === undefined) delete process.env[variable];
    else process.env[variable] = realAddress;
    for (const socket of sockets) socket.destroy();
    server.close();
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // An empty folder remains, which no other user can read.
    }
  };
  if (!isListening) {
    hangUp();
    return undefined;
  }
  // An interrupted command ends before the library does.
  process.on('exit', hangUp);
  process.env[variable] = `unix:path=${encodeURIComponent(path).replaceAll('%2F', '/')}`;
  /** `unreachable`: why the real bus was unreachable; `undefined` if it was reached. */
  return { unreachable: () => unreachable, hangUp };
}

/** Returns the socket of the bus; `undefined` if it uses another transport. */
function busAddress(environment: Environment): string | undefined {
  const addresses = environment[variable];
  if (!addresses) return `${environment['XDG_RUNTIME_DIR']}/bus`;
  const [, kind, name] = /^unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(addresses) ?? [];
  if (name === undefined) return undefined;
  const path = decodeURIComponent(name);
  return kind === 'path' ? path : `\0${path}`;
}
