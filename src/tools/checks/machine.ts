// The doctor's checks of this machine: versions, the callback port, the permissions of stored files, and leftovers of killed
// processes.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { readOnlyReason } from '#cli/create-session.ts';
import { userSettingsPath } from '#cli/settings/load-settings.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { usageError } from '#failure.ts';
import { parseCallbackPort } from '#login/authorization-request.ts';
import { assertPrivateConfigFolder, assertPrivateStateFolder } from '#login/private-folder.ts';
import { reservedPortsHint } from '#login/reserved-ports.ts';
import { selectProfile } from '#login/select-account.ts';
import { fileReaders } from '#login/store-notices.ts';
import { version } from '#version.ts';
import { type Outcome, toOutcome } from './finding.ts';

export function versionCheck({ world: { process } }: Pick<Context, 'world'>): Outcome[] {
  const found = `wm ${version}, Node ${process.nodeVersion.replace('v', '')}, ${process.platform}`;
  return [{ result: 'good', found }];
}

export async function readOnlyCheck(context: Context): Promise<Outcome[]> {
  const { world, account } = context;
  const profile = await selectProfile(world, account).catch(() => undefined);
  const reason = readOnlyReason(context, profile?.readOnly ? profile.name : undefined);
  if (!reason) return [];
  return [{ result: 'notice', found: `no command changes anything: ${reason.why}`, remedy: reason.hint }];
}

/** Checks whether a sign-in could listen for its callback. */
export async function callbackCheck({ world, settings }: Context): Promise<Outcome[]> {
  const variable = world.environment['WM_CALLBACK_PORT'];
  const port =
    variable === undefined ? (settings.find('callback-port')?.value ?? 0) : parseCallbackPort(variable);
  const listener = await world.server.listen({ host: '127.0.0.1', port }, (_, response) => {
    response.end();
  });
  if (!('fault' in listener)) {
    await listener.close();
    return [{ result: 'good', found: port === 0 ? 'any free port' : `${port} is free` }];
  }
  const problem = listener.fault === 'in-use' ? 'is in use' : `cannot be used: ${listener.detail}`;
  const remedy =
    variable === undefined
      ? 'To use any free port: wm config set callback-port 0'
      : 'Set WM_CALLBACK_PORT to another port.';
  const hint = remedy + reservedPortsHint(listener, port);
  return [{ result: 'bad', found: `${port} ${problem}`, remedy: hint }];
}

/** Checks whether other users can change or read stored files. */
export async function permissionChecks({ world }: Pick<Context, 'world'>): Promise<Outcome[]> {
  const { files } = world;
  const findings: Outcome[] = [];
  for (const [path, assertPrivate] of [
    [files.configFolder, assertPrivateConfigFolder],
    [files.stateFolder, assertPrivateStateFolder],
  ] as const) {
    const error: unknown = await assertPrivate(world).catch((thrown: unknown) => thrown);
    if (error === undefined) continue;
    const unsafe = await files.unsafePermissions(path, { includeParents: false });
    const isFixable = unsafe !== undefined && 'mode' in unsafe;
    findings.push({ ...toOutcome(error), ...(isFixable ? { fix: makePrivate(unsafe.path) } : {}) });
  }
  const { platform } = world.process;
  for (const path of await secretFiles(files)) {
    if (!(await files.isReadableByOthers(path))) continue;
    findings.push({
      result: 'bad',
      found: `Other users can read ${path}, which holds a secret`,
      remedy: `Remove their access: chmod go-rwx ${quoteForShell(path, platform)}`,
      fix: makePrivate(path),
    });
  }
  if (findings.length > 0) return findings;
  const { configFolder, isDefaultConfigFolder } = files;
  if (platform !== 'win32')
    return [{ result: 'good', found: `only you can change ${configFolder} and read its secrets` }];
  const found = `files in ${configFolder} are ${fileReaders(world)}`;
  return [{ result: isDefaultConfigFolder ? 'good' : 'notice', found }];

  function makePrivate(path: string) {
    return { does: `remove other users' access to ${path}`, run: () => files.makePrivate(path) };
  }
}

const secretFolders = ['tokens', 'webhook-secrets'];

async function secretFiles(files: Context['world']['files']): Promise<readonly string[]> {
  const lists = secretFolders.map(async (name) => {
    const folder = join(files.configFolder, name);
    const names = await files.list(folder).catch(() => []);
    return names.filter((name) => !name.endsWith('.lock')).map((name) => join(folder, name));
  });
  return (await Promise.all(lists)).flat();
}

/** Only for files that are replaced under a lock. Not for token files: a leftover may hold the only copy of a token. */
export async function leftoverCheck({ world }: Pick<Context, 'world'>): Promise<Outcome[]> {
  const { files, lock } = world;
  const findings: Outcome[] = [];
  for (const [path, lockName] of [
    [userSettingsPath(world), 'config.lock'],
    [join(files.configFolder, 'profiles.json'), 'profiles.lock'],
  ] as const) {
    const leftovers = await files.leftovers(path).catch(() => []);
    if (leftovers.length === 0) continue;
    findings.push({
      result: 'notice',
      found: `${countOf(leftovers.length, 'temporary file')} of ${path}, from a killed wm`,
      remedy: 'To remove them: wm doctor --fix',
      fix: {
        does: `remove ${countOf(leftovers.length, 'temporary file')} of ${path}`,
        async run() {
          // If another process holds the lock, it is writing these files: they are not leftovers.
          const acquired = await lock.acquire(join(files.configFolder, lockName), { timeoutMs: 0 });
          if (!acquired) throw usageError(`Another wm is writing ${path}`, 'Run wm doctor --fix again.');
          await files.removeLeftovers(path);
          await acquired.release();
        },
      },
    });
  }
  return findings;
}
