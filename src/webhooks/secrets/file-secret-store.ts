// Stores the secrets of webhooks in a folder, one file for each webhook, readable only by its owner.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseJsonIfValid } from '#contract/json.ts';
import { commandHint, Failure } from '#failure.ts';
import { withLock } from '#login/lock-wait.ts';
import { assertPrivateConfigFolder, diskFailure } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import type { SecretOwner, SecretStore } from './secret-store.ts';

const mode = 0o600;
const maxBytes = 1024 * 1024;
const failWith = (message: string) => diskFailure(message, 'token_store');
const activity = 'storing the secret of a webhook';

/** `storeAgain`: the command that replaces a secret that cannot be read. */
export function createFileSecretStore(
  world: Pick<World, 'files' | 'lock'>,
  storeAgain: (owner: SecretOwner) => string,
): SecretStore {
  const { files } = world;
  const folder = join(files.configFolder, 'webhook-secrets');
  /** The name is a hash, since ids may differ only in case, which some disks ignore. The content names the owner. */
  const pathOf = ({ host, webhookId }: SecretOwner) =>
    join(folder, `${createHash('sha256').update(`${host} ${webhookId}`).digest('hex').slice(0, 32)}.json`);
  /** Only one process at a time may remove what a killed process left beside the file. */
  const locked = async <T>(path: string, use: () => Promise<T>): Promise<T> => {
    await assertPrivateConfigFolder(world, path);
    const lockPath = join(folder, '.lock');
    const fails = failWith(`Cannot lock ${lockPath}`);
    return withLock(world, lockPath, { activity, unchanged: 'Nothing was changed.', fails }, async () => {
      const result = await use();
      await files.removeLeftovers(path);
      return result;
    });
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
      await locked(path, () => files.write(path, text, { mode }).catch(failWith(`Cannot write ${path}`)));
    },
    async remove(owner) {
      const path = pathOf(owner);
      return locked(path, () => files.remove(path).catch(failWith(`Cannot remove ${path}`)));
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
