// The tunnel program in the process of the test, for tests about the webhook behind it. front-door.test.ts and tunnel.deep.test.ts
// start it as `wm` does, through the shell.

import { createRequire } from 'node:module';
import type { Processes } from '#world/world.ts';

interface TunnelProgram {
  openTunnel(
    ports: readonly number[],
    on: { readonly print: (text: string) => void; readonly end: (status: number) => void },
  ): () => void;
}

const terminated = 128 + 15;

/** Stands in for a world's `start`: `program` with the ports at the end of its command. */
export function startTunnelHere(program: string): Processes['start'] {
  const { openTunnel }: TunnelProgram = createRequire(program)(program);
  return ([command = ''], { onErrors = () => {} }) => {
    const ports = command.split(' ').slice(-2).map(Number);
    let kill = () => {};
    const ended = new Promise<number>((end) => {
      const close = openTunnel(ports, { print: onErrors, end });
      kill = () => {
        close();
        end(terminated);
      };
    });
    return { ended, exited: ended, pid: () => undefined, detach() {}, release() {}, kill };
  };
}
