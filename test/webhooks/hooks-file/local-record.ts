// Writes what this machine recorded about webhooks, as a `wm` before would have done, or deletes it, as in CI.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Emulated } from '#test/support/program/emulated.ts';
import { createFiles } from '#world/files.ts';

type Place = Pick<Emulated, 'environment' | 'folder'>;

function recordFolder({ environment, folder }: Place): string {
  return join(createFiles(environment, process.platform, folder).stateFolder, 'webhooks');
}

/** By the ids of the webhooks. */
export async function record(service: Place, webhooks: Readonly<Record<string, object>>): Promise<void> {
  const folder = recordFolder(service);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${(service.environment['WM_HOST'] ?? '').replace(/[^\w.-]/g, '_')}.json`;
  await writeFile(join(folder, name), JSON.stringify({ format: 1, webhooks }), { mode: 0o600 });
}

export async function forget(service: Place): Promise<void> {
  await rm(recordFolder(service), { recursive: true, force: true });
}
