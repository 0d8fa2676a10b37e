// For `--tls`: creates a certificate, a file with its authority, and the variables that make clients trust it.

import { join } from 'node:path';
import type { Environment, World } from '#world/world.ts';
import type { EmulatorOptions } from '../service/settings.ts';

export interface TlsCertificate {
  readonly secure: NonNullable<EmulatorOptions['secure']>;
  /** The authority that a client has to trust, PEM. Its key never leaves the memory of this process. */
  readonly authority: string;
  /** The file that holds it. */
  readonly path: string;
}

export async function createTlsCertificate(
  { clock, files }: Pick<World, 'clock' | 'files'>,
  folder: string,
  hostNames: readonly string[] | undefined,
): Promise<TlsCertificate> {
  const { createServerCertificate } = await import('../certificate.ts');
  const { authority, certificate, key } = await createServerCertificate(clock.now(), hostNames);
  const path = join(folder, 'certificate.pem');
  await files.write(path, authority, { mode: 0o600 });
  return { secure: { key, certificate }, authority, path };
}

/** The variables of common clients. All but the first and the last replace the client's own authorities. */
const variables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE', // OpenSSL, and so Python, Ruby, PHP; Go; .NET
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE', // Python's requests
  'GIT_SSL_CAINFO',
  'DENO_CERT',
] as const;

/** Makes a command's clients trust the emulator, besides the authorities in the files that the variables named before. */
export async function trustEnvironment(
  { files }: Pick<World, 'files'>,
  inherited: Environment,
  { authority, path }: TlsCertificate,
  folder: string,
): Promise<Environment> {
  const environment: Record<string, string> = {};
  for (const name of variables) {
    const file = inherited[name];
    const trusted = file ? await files.read(file).catch(() => undefined) : undefined;
    environment[name] = trusted ? join(folder, `${name}.pem`) : path;
    if (trusted)
      await files.write(environment[name], `${authority}${Buffer.from(trusted).toString()}`, { mode: 0o600 });
  }
  return environment;
}
