// The environment of a program that runs against the emulator, without any of the user's own accounts.

import type { Environment } from '#world/world.ts';
import type { RunningEmulator } from '../emulator.ts';

const loopback = '127.0.0.1,localhost,::1';

/** `inherited` with the emulator's WM_ variables instead of all others, and a throw-away config folder. */
export function emulatorEnvironment(
  inherited: Environment,
  emulator: RunningEmulator,
  configFolder: string,
  trust: Environment = {},
): Environment {
  const others = Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('WM_')));
  const noProxy = [inherited['NO_PROXY'] ?? inherited['no_proxy'], loopback].filter(Boolean).join(',');
  return {
    ...others,
    ...trust,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    WM_AUTH_URL: emulator.authUrl,
    WM_HOST: emulator.host,
    WM_TOKEN: emulator.token,
    WM_CLIENT_ID: emulator.clientId,
    WM_CLIENT_SECRET: emulator.clientSecret,
    WM_CONFIG_DIR: configFolder,
    WM_TOKEN_STORE: 'file',
    WM_EMULATOR_URL: new URL(emulator.baseUrl).origin,
  };
}
