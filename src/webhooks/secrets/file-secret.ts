// Stores the secret of a webhook in a file of its own, readable only by its owner.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseJsonIfValid } from '#contract/json.ts';
import { commandHint, Failure } from '#failure.ts';
import { withLock } from '#login/lock-wait.ts';
import { assertPrivateConfigFolder, diskFailure } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import type { SecretOwner, SecretPlace } from './secret-store.ts';

const mode = 0o600;
const maxBytes = 1024 * 1024;
const failWith = (message: string) => diskFailure(message, 'token_store');
const activity = 'storing the secret of a webhook';

/** `toRemove`: the command that removes a secret that cannot be read. */
export function openFileSecret(
  world: Pick<World, 'files' | 'lock'>,
  owner: SecretOwner,
  toRemove: () => string,
): SecretPlace {
  const { files } = world;
  const folder = join(files.configFolder, 'webhook-secrets');
  // The name is a hash, since ids may differ only in case, which some disks ignore. The content names the owner.
  const hash = createHash('sha256').update(`${owner.host} ${owner.webhookId}`).digest('hex');
  const path = join(folder, `${hash.slice(0, 32)}.json`);
  /** Only one process at a time may remove what a killed process left beside the file. */
  const locked = async <T>(use: () => Promise<T>): Promise<T> => {
    await assertPrivateConfigFolder(world, path);
    const lockPath = join(folder, '.lock');
    const unchanged = 'The stored secret was not changed.';
    const options = { activity, unchanged, fails: failWith(`Cannot lock ${lockPath}`) };
    return withLock(world, lockPath, options, async () => {
      const result = await use();
      await files.removeLeftovers(path);
      return result;
    });
  };
  return {
    kind: 'file',
    owner,
    location: path,
    async read() {
      await assertPrivateConfigFolder(world, path);
      const bytes = await files.read(path, { maxBytes }).catch(failWith(`Cannot read ${path}`));
      return bytes && parseSecret(new TextDecoder().decode(bytes), owner, path, toRemove);
    },
    has: async () => (await files.kind(path).catch(failWith(`Cannot read ${path}`))) !== undefined,
    async write(secret) {
      const text = `${JSON.stringify({ ...owner, secret })}\n`;
      await locked(() => files.write(path, text, { mode }).catch(failWith(`Cannot write ${path}`)));
    },
    remove: () =>
      locked(async () => {
        const cannotRemove = failWith(`Cannot remove ${path}`);
        const isRemoved = await files.remove(path).catch(cannotRemove);
        // A power cut would bring it back.
        await files.syncFolder(folder).catch(cannotRemove);
        return isRemoved;
      }),
  };
}

function parseSecret(text: string, owner: SecretOwner, path: string, toRemove: () => string): string {
  const { host, webhookId } = owner;
  const members = new Map<string, unknown>(Object.entries(Object(parseJsonIfValid(text))));
  const secret = members.get('secret');
  const isOwn = members.get('host') === host && members.get('webhookId') === webhookId;
  if (isOwn && typeof secret === 'string' && secret !== '') return secret;
  throw new Failure('token_store', {
    message: `Cannot read the secret in ${path}`,
    why: 'it is damaged, or another program wrote it',
    hint: commandHint('To remove it, so that you can store it again: ', toRemove()),
  });
}
