// What `--tls` adds to an emulator: a new certificate, and a file with its authority for clients to trust.

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
): Promise<TlsCertificate> {
  const { createServerCertificate } = await import('../certificate.ts');
  const { authority, certificate, key } = await createServerCertificate(clock.now());
  const path = join(folder, 'certificate.pem');
  await files.write(path, authority, { mode: 0o600 });
  return { secure: { key, certificate }, authority, path };
}

/** The variables of common clients. All but the first and the last replace the authorities that those clients trust. */
const variables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE', // OpenSSL, and so Python, Ruby, PHP; Go; .NET
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE', // Python's requests
  'GIT_SSL_CAINFO',
  'DENO_CERT',
] as const;

/** The variables by which a command's clients trust the emulator, beside what the same variable had them trust before. */
export async function trustEnvironment(
  { files }: Pick<World, 'files'>,
  own: Environment,
  { authority, path }: TlsCertificate,
  folder: string,
): Promise<Environment> {
  const set: Record<string, string> = {};
  for (const name of variables) {
    const named = own[name];
    const before = named ? await files.read(named).catch(() => undefined) : undefined;
    set[name] = before ? join(folder, `${name}.pem`) : path;
    if (before)
      await files.write(set[name], `${authority}${Buffer.from(before).toString()}`, { mode: 0o600 });
  }
  return set;
}
