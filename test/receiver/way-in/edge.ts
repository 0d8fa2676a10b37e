// The other end of the tunnels of these tests: gives each tunnel-program.cjs a name, and leads connections from outside through the
// one that has connected last. Requests for *.tunnel.example.com get there by an `http` of its own.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http, Processes } from '#world/world.ts';
import { startTunnelHere } from './tunnel-here.ts';

const program = resolve('test/receiver/way-in/tunnel-program.cjs');

export interface Edge {
  /** For --tunnel. */
  readonly command: string;
  /** Starts the command in this process: for a world's `process`. */
  readonly start: Processes['start'];
  readonly http: Http;
  /** Where tunnels connect to: an open connection ends with the test. */
  readonly port: number;
  /** The names that tunnels were given so far. */
  readonly names: readonly string[];
  /** The next tunnels get the name of the last one. */
  keepsName: boolean;
  /** Instead of the tunnel, connections from outside get there. */
  leadsTo: number | undefined;
  /** Nothing gets through, although the tunnel runs. */
  isBlocked: boolean;
  /** How many connections came from outside. */
  readonly connections: number;
  /** Resolves once no tunnel is connected: its program is gone. */
  gone(): Promise<void>;
  /** Ends the tunnel that is connected now. */
  drop(): void;
  /** Resolves once so many tunnels have been given a name. */
  tunnels(count: number): Promise<void>;
}

export async function startEdge(test: TestContext): Promise<Edge> {
  const names: string[] = [];
  const waiting = new Map<string, Socket>();
  const sockets = new Set<Socket>();
  const watchers: (() => void)[] = [];
  let control: Socket | undefined;
  let connections = 0;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const join = (first: Socket, second: Socket) => {
    first.pipe(second).pipe(first);
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const)
      a.on('close', () => b.destroy());
  };
  const inside = createServer((socket) => {
    keep(socket);
    socket.once('data', (bytes: Buffer) => {
      const end = bytes.indexOf('\n');
      const [word, id = ''] = bytes.toString('utf8', 0, end).split(' ');
      if (word === 'hello') {
        control = socket;
        const last = names.at(-1);
        names.push(edge.keepsName && last !== undefined ? last : `name-${names.length + 1}`);
        socket.write(`name ${names.at(-1)}\n`);
        for (const watch of watchers) watch();
        return;
      }
      const outside = waiting.get(id);
      waiting.delete(id);
      if (!outside) return void socket.destroy();
      socket.unshift(bytes.subarray(end + 1));
      join(outside, socket);
    });
  });
  const outside = createServer((socket) => {
    keep(socket);
    connections++;
    if (edge.leadsTo !== undefined) {
      const target = connect(edge.leadsTo, '127.0.0.1');
      keep(target);
      return join(socket, target);
    }
    if (edge.isBlocked || !control || control.destroyed) return void socket.destroy();
    const id = String(connections);
    waiting.set(id, socket);
    control.write(`open ${id}\n`);
  });
  const [insidePort, outsidePort] = [await listening(inside), await listening(outside)];
  test.after(() => {
    for (const socket of sockets) socket.destroy();
    inside.close();
    outside.close();
  });
  const real = createWorld().http;
  const edge: Edge = {
    command: `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} ${insidePort} {port}`,
    start: startTunnelHere(program),
    port: insidePort,
    names,
    keepsName: false,
    leadsTo: undefined,
    isBlocked: false,
    get connections() {
      return connections;
    },
    http: {
      ...real,
      send(request, options) {
        const url = new URL(request.url);
        if (!url.hostname.endsWith('.tunnel.example.com')) return real.send(request, options);
        const { allowAddress: _, ...rest } = options;
        // A client of its own, since time stands still between two requests: no connection is left from the last one.
        return createWorld().http.send(
          {
            ...request,
            url: `http://127.0.0.1:${outsidePort}${url.pathname}`,
            headers: { ...request.headers, Host: url.host },
          },
          rest,
        );
      },
    },
    async gone() {
      if (control && !control.closed) await once(control, 'close');
    },
    drop: () => void control?.destroy(),
    tunnels: (count) =>
      new Promise((done) => {
        const watch = () => {
          if (names.length >= count) done();
        };
        watchers.push(watch);
        watch();
      }),
  };
  return edge;
}
