// The token store that is a folder of files, one for each profile, readable only by their owner.

import { Failure } from '../failure.ts';
import type { World } from '../world/world.ts';
import { removeLeftovers } from './leftovers.ts';
import { pendingName } from './pending-name.ts';
import { assertPrivateConfigFolder } from './private-folder.ts';
import { formatTokens, parseTokens, tryParseTokens } from './token-format.ts';
import type { PendingSignInStore, TokenStore } from './token-store.ts';

const mode = 0o600;
/** For tokens longer than those before; what a file of this length takes is whole blocks of any usual disk. */
const minReservedBytes = 16_384;

export interface FileTokenStore extends TokenStore {
  /** Whether `remove` would remove anything. */
  hasFiles(profile: string): Promise<boolean>;
}

export function createFileTokenStore(world: Pick<World, 'files'>): FileTokenStore {
  const { files } = world;
  const folder = `${files.configFolder}/tokens`;
  const path = (profile: string) => `${folder}/${profile}.json`;
  const pendingPath = (profile: string) => path(pendingName(profile));
  const probe = `${folder}/.probe`;
  const trouble = (what: string) => (error: unknown) => {
    throw new Failure('token_store', {
      message: what,
      why: error instanceof Error ? error.message : undefined,
      hint: 'The folder is that of WM_CONFIG_DIR, or the usual one. It must be yours, and there must be room.',
      cause: error,
    });
  };
  const readText = async (file: string) => {
    const bytes = await files.read(file).catch(trouble(`${file} cannot be read`));
    return bytes && new TextDecoder().decode(bytes);
  };
  const writeText = async (file: string, text: string) => {
    await files.write(file, text, { mode }).catch(trouble(`${file} cannot be written`));
    await removeLeftovers(world, file);
  };
  const removeFile = async (file: string) => {
    const cannot = (left: string) => trouble(`${left} cannot be removed`);
    // Beside the file that a link leads to, so they are found before the link goes.
    const left = await files.leftovers(file).catch(cannot(file));
    const target = await files.realPath(file).catch(cannot(file));
    let isRemoved = false;
    // A link alone would leave behind what it leads to.
    for (const one of new Set([target, file, ...left]))
      isRemoved = (await files.remove(one).catch(cannot(one))) || isRemoved;
    return isRemoved;
  };
  const pending: PendingSignInStore = {
    read: (profile) => readText(pendingPath(profile)),
    write: (profile, text) => writeText(pendingPath(profile), text),
    remove: (profile) => removeFile(pendingPath(profile)),
  };
  const noRoom = trouble(`No token can be kept in ${folder}`);
  return {
    kind: 'file',
    name: folder,
    locationOf: path,
    pending,
    async read(profile) {
      await assertPrivateConfigFolder(world, path(profile));
      const text = await readText(path(profile));
      return text === undefined ? undefined : parseTokens(text, path(profile), profile);
    },
    write: (profile, item) => writeText(path(profile), formatTokens(item)),
    async remove(profile) {
      const isRemoved = await removeFile(path(profile));
      const isPendingRemoved = await pending.remove(profile);
      await removeLeftovers(world, probe);
      return isRemoved || isPendingRemoved;
    },
    async hasFiles(profile) {
      for (const file of [path(profile), pendingPath(profile)]) {
        if ((await files.kind(file)) !== undefined || (await files.leftovers(file)).length > 0) return true;
      }
      return false;
    },
    async assertWritable(profile) {
      await assertPrivateConfigFolder(world, folder);
      if (profile !== undefined) await assertPrivateConfigFolder(world, path(profile));
      await files.write(probe, ' '.repeat(minReservedBytes), { mode }).catch(noRoom);
      await files.remove(probe).catch(noRoom);
    },
    async reserve(profile, like) {
      const file = path(profile);
      await removeLeftovers(world, file);
      const bytes = Math.max(minReservedBytes, 2 * formatTokens(like).length);
      const reservation = await files.reserve(file, { mode, bytes }).catch(noRoom);
      return {
        write: (item) => reservation.write(formatTokens(item)).catch(trouble(`${file} cannot be written`)),
        release: () => reservation.release(),
      };
    },
    async findInterruptedWrite(profile, before) {
      const file = path(profile);
      const reserved = (await files.leftovers(file).catch(() => [])).find((left) =>
        left.endsWith('.reserved'),
      );
      const text = reserved && (await readText(reserved));
      const item = text === undefined ? undefined : tryParseTokens(text);
      // Of another generation it is older than what is stored.
      if (reserved === undefined || item?.generation !== before.generation + 1) return undefined;
      return {
        tokens: item,
        adopt: () => files.moveIntoPlace(reserved, file).catch(trouble(`${file} cannot be written`)),
      };
    },
  };
}
