// Stores the secrets of webhooks in a folder, one file for each webhook, readable only by its owner.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseJsonIfValid } from '#contract/json.ts';
import { commandHint, errorMessage, Failure } from '#failure.ts';
import { lockLimits, lockTimeoutFailure } from '#login/lock-wait.ts';
import { assertPrivateConfigFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import type { SecretOwner, SecretStore } from './secret-store.ts';

const mode = 0o600;
const maxBytes = 1024 * 1024;
const activity = 'storing the secret of a webhook';

/** `storeAgain`: the command that replaces a secret that cannot be read. */
export function createFileSecretStore(
  world: Pick<World, 'files' | 'lock'>,
  storeAgain: (owner: SecretOwner) => string,
): SecretStore {
  const { files, lock } = world;
  const folder = join(files.configFolder, 'webhook-secrets');
  /** The name is a hash, since ids may differ only in case, which some disks ignore. The content names the owner. */
  const pathOf = ({ host, webhookId }: SecretOwner) =>
    join(folder, `${createHash('sha256').update(`${host} ${webhookId}`).digest('hex').slice(0, 32)}.json`);
  /** Only one process at a time may remove what a killed process left beside the file. */
  const withLock = async <T>(path: string, use: () => Promise<T>): Promise<T> => {
    await assertPrivateConfigFolder(world, path);
    const lockPath = join(folder, '.lock');
    const held = await lock
      .acquire(lockPath, { ...lockLimits, activity })
      .catch(failWith(`Cannot lock ${lockPath}`));
    if (!held) throw lockTimeoutFailure(await lock.holder(lockPath), activity, 'Nothing was changed.');
    try {
      const result = await use();
      await files.removeLeftovers(path);
      return result;
    } finally {
      await held.release();
    }
  };
  return {
    kind: 'file',
    locationOf: pathOf,
    async read(owner) {
      const path = pathOf(owner);
      await assertPrivateConfigFolder(world, path);
      const bytes = await files.read(path, { maxBytes }).catch(failWith(`Cannot read ${path}`));
      return bytes && parseSecret(new TextDecoder().decode(bytes), owner, path, storeAgain);
    },
    async has(owner) {
      const path = pathOf(owner);
      return (await files.kind(path).catch(failWith(`Cannot read ${path}`))) !== undefined;
    },
    async write(owner, secret) {
      const path = pathOf(owner);
      const text = `${JSON.stringify({ ...owner, secret })}\n`;
      await withLock(path, () => files.write(path, text, { mode }).catch(failWith(`Cannot write ${path}`)));
    },
    async remove(owner) {
      const path = pathOf(owner);
      return withLock(path, () => files.remove(path).catch(failWith(`Cannot remove ${path}`)));
    },
  };
}

function parseSecret(
  text: string,
  owner: SecretOwner,
  path: string,
  storeAgain: (owner: SecretOwner) => string,
): string {
  const { host, webhookId } = owner;
  const members = new Map<string, unknown>(Object.entries(Object(parseJsonIfValid(text))));
  const secret = members.get('secret');
  const isOwn = members.get('host') === host && members.get('webhookId') === webhookId;
  if (isOwn && typeof secret === 'string' && secret !== '') return secret;
  throw new Failure('token_store', {
    message: `Cannot read the secret in ${path}`,
    why: 'it is damaged, or another program wrote it',
    hint: commandHint('Store it again: ', storeAgain(owner)),
  });
}

function failWith(message: string): (error: unknown) => never {
  return (error) => {
    throw new Failure('token_store', {
      message,
      why: errorMessage(error),
      hint: 'Check that the folder belongs to you and that the disk has room. WM_CONFIG_DIR names another folder.',
      cause: error,
    });
  };
}
