// The environment of a program that runs against the emulator, without any of the user's own accounts.

import { join } from 'node:path';
import type { Environment, World } from '#world/world.ts';
import type { RunningEmulator } from '../emulator.ts';
import type { TlsCertificate } from './with-emulator.ts';

/** `inherited` with the emulator's WM_ variables instead of all others, and a throw-away config folder. */
export function emulatorEnvironment(
  inherited: Environment,
  emulator: RunningEmulator,
  configFolder: string,
  trust: Environment = {},
): Environment {
  const others = Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('WM_')));
  const ownProxy = inherited['NO_PROXY'] ?? inherited['no_proxy'];
  const noProxy = `${ownProxy ? `${ownProxy},` : ''}127.0.0.1,localhost,::1`;
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

/** The variables of common clients. All but the first and the last replace the client's own authorities. */
const trustVariables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE', // OpenSSL, and so Python, Ruby, PHP; Go; .NET
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE', // Python's requests
  'GIT_SSL_CAINFO',
  'DENO_CERT',
] as const;

/** Makes a command's clients trust the emulator, besides the authorities in the files that the variables named before. */
export async function trustEnvironment(
  { files, environment: inherited }: Pick<World, 'files' | 'environment'>,
  { authority, path }: TlsCertificate,
  folder: string,
): Promise<Environment> {
  const environment: Record<string, string> = {};
  for (const name of trustVariables) {
    const file = inherited[name];
    const trusted = file ? await files.read(file).catch(() => undefined) : undefined;
    environment[name] = trusted ? join(folder, `${name}.pem`) : path;
    if (trusted)
      await files.write(environment[name], `${authority}${Buffer.from(trusted).toString()}`, { mode: 0o600 });
  }
  return environment;
}
