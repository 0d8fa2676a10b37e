// The flags that `emulator start` and `emulator exec` share, and how they become the emulator's options.

import { isIP } from 'node:net';
import type { Value } from '../../contract/value.ts';
import { Refused, shown } from '../../contract/value.ts';
import type { EmulatorOptions } from '../../emulator/settings.ts';
import { usage } from '../../failure.ts';
import { list, type ParsedFlags, toggle, wholeNumber } from '../command.ts';

interface Route {
  readonly host: string;
  readonly address: string;
  readonly port: number;
}

const routes: Value<readonly Route[]> = {
  type: 'HOST=ADDRESS:PORT[]',
  wire: 'text',
  check: (input) => (Array.isArray(input) ? input.map(routeOf) : []),
  fromWire: (text) => [routeOf(text)],
  toWire: (all) => all.map(({ host, address, port }) => `${host}=${address}:${port}`).join(','),
};

function routeOf(input: unknown): Route {
  const parts = /^([^=\s]+)=(.+):(\d{1,5})$/.exec(String(input));
  const [, host = '', given = '', port = ''] = parts ?? [];
  const address = given.replace(/^\[(.*)\]$/, '$1');
  if (!parts || isIP(address) === 0 || Number(port) > 65_535) {
    throw new Refused(
      shown(input),
      'is not of the form HOST=ADDRESS:PORT, as in hooks.example.com=127.0.0.1:8080',
    );
  }
  return { host: host.toLowerCase(), address, port: Number(port) };
}

export const emulatorFlags = {
  port: wholeNumber('PORT', 'Where to listen; any free port without it', 0, 65_535),
  allowLocalHooks: toggle('Let webhooks point to this machine, on any port'),
  connectTo: list(routes, 'HOST=ADDRESS:PORT', 'Deliver what is meant for HOST to this address instead'),
} as const;

export function emulatorOptions(flags: ParsedFlags<typeof emulatorFlags>): EmulatorOptions {
  return {
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.allowLocalHooks === undefined ? {} : { allowLocalHooks: flags.allowLocalHooks }),
    ...(flags.connectTo === undefined ? {} : { connectTo: flags.connectTo }),
  };
}

/** The port could not be had. */
export function cannotListen(port: number | undefined, detail: string): Error {
  return usage(
    `The emulator cannot listen on port ${port ?? 0}`,
    'Give another with --port, or none at all.',
    detail,
  );
}
