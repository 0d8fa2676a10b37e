// The token store in files: a folder with one file for each profile, readable only by its owner.

import { dirname, join } from 'node:path';
import type { World } from '#world/world.ts';
import { assertPrivateConfigFolder, diskFailure } from './private-folder.ts';
import {
  type PendingSignInStore,
  parseTokens,
  pendingName,
  type TokenStore,
  tryParseTokens,
} from './token-store.ts';

const mode = 0o600;
/** Enough for new tokens that are longer than the old ones, and a multiple of the block size of usual disks. */
const minReservedBytes = 16_384;

export function tokenFile({ configFolder }: Pick<World['files'], 'configFolder'>, profile: string): string {
  return join(configFolder, 'tokens', `${profile}.json`);
}

export function createFileTokenStore(world: Pick<World, 'files'>): TokenStore {
  const { files } = world;
  const folder = join(files.configFolder, 'tokens');
  const path = (profile: string) => tokenFile(files, profile);
  const pendingPath = (profile: string) => path(pendingName(profile));
  const probe = join(folder, '.probe');
  const failure = (message: string) => diskFailure(message, 'token_store');
  const readText = async (file: string) => {
    const bytes = await files.read(file).catch(failure(`Cannot read ${file}`));
    return bytes && new TextDecoder().decode(bytes);
  };
  const writeText = async (file: string, text: string) => {
    await files.write(file, text, { mode }).catch(failure(`Cannot write ${file}`));
    await files.removeLeftovers(file);
  };
  const syncFolders = async (target: string) => {
    for (const name of new Set([dirname(target), folder]))
      if (await files.kind(name)) await files.syncFolder(name);
  };
  const removeFile = async (file: string) => {
    const cannotRemove = (path: string) => failure(`Cannot remove ${path}`);
    // They lie beside the target of a link, so find them before the link is removed.
    const leftovers = await files.leftovers(file).catch(cannotRemove(file));
    const target = await files.realPath(file).catch(cannotRemove(file));
    let isRemoved = false;
    // Removing only a link would leave the tokens behind.
    for (const name of new Set([target, file, ...leftovers]))
      isRemoved = (await files.remove(name).catch(cannotRemove(name))) || isRemoved;
    // A power cut would bring them back, and what an earlier attempt had removed.
    await syncFolders(target).catch(cannotRemove(file));
    return isRemoved;
  };
  const pending: PendingSignInStore = {
    read: (profile) => readText(pendingPath(profile)),
    write: (profile, text) => writeText(pendingPath(profile), text),
    remove: (profile) => removeFile(pendingPath(profile)),
  };
  const cannotStore = failure(`Cannot store tokens in ${folder}`);
  return {
    kind: 'file',
    name: folder,
    pending,
    async read(profile) {
      await assertPrivateConfigFolder(world, path(profile));
      const text = await readText(path(profile));
      return text === undefined ? undefined : parseTokens(text, path(profile), profile);
    },
    write: (profile, tokens) => writeText(path(profile), JSON.stringify(tokens)),
    async remove(profile) {
      const isRemoved = await removeFile(path(profile));
      const isPendingRemoved = await pending.remove(profile);
      await files.removeLeftovers(probe);
      return isRemoved || isPendingRemoved;
    },
    // The files themselves say so.
    announce: async () => {},
    async findTrace(profile) {
      for (const file of [path(profile), pendingPath(profile)])
        if ((await files.kind(file)) !== undefined || (await files.leftovers(file)).length > 0) return file;
      return undefined;
    },
    async assertWritable(profile) {
      await assertPrivateConfigFolder(world, folder);
      if (profile !== undefined) await assertPrivateConfigFolder(world, path(profile));
      await files.write(probe, ' '.repeat(minReservedBytes), { mode }).catch(cannotStore);
      await files.remove(probe).catch(cannotStore);
    },
    settle: (profile) => files.realPath(path(profile)).then(syncFolders).catch(cannotStore),
    async reserve(profile, current) {
      const file = path(profile);
      await files.removeLeftovers(file);
      const bytes = Math.max(minReservedBytes, 2 * JSON.stringify(current).length);
      const reservation = await files.reserve(file, { mode, bytes }).catch(cannotStore);
      return {
        write: (tokens) => reservation.write(JSON.stringify(tokens)).catch(failure(`Cannot write ${file}`)),
        release: () => reservation.release(),
      };
    },
    async findInterruptedWrite(profile, current) {
      const file = path(profile);
      const leftovers = await files.leftovers(file).catch(() => []);
      const reserved = leftovers.find((name) => name.endsWith('.reserved'));
      const text = reserved && (await readText(reserved));
      const tokens = text === undefined ? undefined : tryParseTokens(text);
      // Tokens of another generation are older than the stored tokens.
      if (reserved === undefined || tokens?.generation !== current.generation + 1) return undefined;
      return {
        tokens,
        adopt: () => files.moveIntoPlace(reserved, file).catch(failure(`Cannot write ${file}`)),
      };
    },
  };
}
