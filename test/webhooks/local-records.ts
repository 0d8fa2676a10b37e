// Reads and writes this machine's records of webhooks, as an earlier command would have left them.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LocalWebhook } from '#local-records/local-webhook.ts';
import type { Environment } from '#world/world.ts';

/** One file for each host. */
export function localPath(environment: Environment): string {
  const host = environment['WM_HOST']?.replace(/[^\w.-]/g, '_');
  return join(environment['WM_CONFIG_DIR'] ?? '', 'state', 'webhooks', `${host}.json`);
}

export async function writeLocal(
  environment: Environment,
  webhooks: Readonly<Record<string, LocalWebhook>>,
): Promise<void> {
  const path = localPath(environment);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, JSON.stringify({ format: 1, webhooks }), { mode: 0o600 });
}

export async function readLocal(environment: Environment): Promise<Record<string, LocalWebhook>> {
  return JSON.parse(await readFile(localPath(environment), 'utf8')).webhooks;
}
