// Runs an emulator for as long as a command needs it, with the user's own data: an application, and a seed file, whose mistakes are
// reported with their lines. Reports data that could not be saved.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { decodeInput } from '#cli/decode-text.ts';
import { readInput } from '#cli/file-value.ts';
import type { ParsedFlags } from '#cli/flags/flag.ts';
import type { YamlNode, YamlProblem } from '#cli/yaml-document.ts';
import { Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import type { RunningEmulator } from '../emulator.ts';
import type { SeedProblem } from '../seed/seed-records.ts';
import type { EmulatorOptions } from '../service/settings.ts';
import { cannotStart, type emulatorFlags, emulatorOptions } from './flags.ts';

/** `folder`: for the files of --tls. Throws what `use` throws, or else a {@link Failure} if the data file was not written. */
export async function withEmulator(
  { world, report }: Pick<Context, 'world' | 'report'>,
  flags: ParsedFlags<typeof emulatorFlags>,
  { address, folder }: { readonly address?: string; readonly folder: string | undefined },
  use: (emulator: RunningEmulator, certificate: TlsCertificate | undefined) => Promise<void>,
): Promise<void> {
  const own = await readOwnData(world, flags);
  const { startEmulator } = await import('../emulator.ts');
  const certificate =
    flags.tls && folder ? await createTlsCertificate(world, folder, flags.allowHost) : undefined;
  const options = emulatorOptions(flags, certificate?.secure, report);
  const emulator = await startEmulator(world, { ...options, ...own, ...omitUndefined({ address }) });
  if ('fault' in emulator) throw cannotStart(flags, emulator);
  // A server that still listens would keep the process alive.
  await use(emulator, certificate).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  const fault = await emulator.close();
  if (fault !== undefined)
    throw new Failure('other', {
      message: `${fault.file} could not be saved`,
      why: fault.detail,
      hint: `Changes since the last save at ${new Date(fault.lastSaved).toISOString()} are lost. Before the next start, make room for the file and check that you may write it.`,
    });
}

export type TlsCertificate = Awaited<ReturnType<typeof createTlsCertificate>>;

/** `path`: of the file with the authority that a client has to trust. Its key never leaves the memory of this process. */
async function createTlsCertificate(
  { clock, files }: Pick<World, 'clock' | 'files'>,
  folder: string,
  hostNames: readonly string[] | undefined,
) {
  const { createServerCertificate } = await import('../certificate.ts');
  const { authority, certificate, key } = await createServerCertificate(clock.now(), hostNames);
  const path = join(folder, 'certificate.pem');
  await files.write(path, authority, { mode: 0o600 });
  return { secure: { key, certificate }, authority, path };
}

type OwnDataFlags = ParsedFlags<typeof emulatorFlags>;

/** Throws a usage failure that lists the mistakes in the file. */
async function readOwnData(world: World, flags: OwnDataFlags) {
  const application = await readApplication(world, flags);
  return omitUndefined({ application, seed: await readSeedFile(world, flags, application?.clientId) });
}

async function readApplication(
  world: World,
  { clientId, clientSecretFile, redirectUri: redirectUris }: OwnDataFlags,
): Promise<EmulatorOptions['application']> {
  if (clientId === undefined) {
    if (redirectUris === undefined && clientSecretFile === undefined) return undefined;
    throw usageError(
      `--${redirectUris === undefined ? 'client-secret-file' : 'redirect-uri'} needs --client-id`,
      'For example: --client-id my-app --redirect-uri https://app.example.com/callback',
    );
  }
  const clientSecret =
    clientSecretFile === undefined
      ? undefined
      : (await readText(world, clientSecretFile, '--client-secret-file')).trim();
  if (clientSecret === '') throw usageError(`--client-secret-file: ${clientSecretFile} is empty`);
  if (clientSecret !== undefined) world.secrets.add(clientSecret);
  return { clientId, ...omitUndefined({ clientSecret, redirectUris }) };
}

const maxBytes = 64 * 1024 * 1024;
const maxShown = 20;
const seedHint = 'To write one from a running emulator: wm emulator snapshot > seed.yaml';

async function readText(world: World, path: string, flag: string): Promise<string> {
  const hints = flag === '--seed' ? { missing: seedHint } : {};
  const bytes = await readInput(world, path, flag, maxBytes, hints);
  return decodeInput(bytes, `${flag}: ${path}`);
}

async function readSeedFile(
  world: World,
  { seed: path, allowLocalHooks: allowLoopback }: OwnDataFlags,
  applicationId: string | undefined,
): Promise<EmulatorOptions['seed']> {
  if (path === undefined) return undefined;
  const text = await readText(world, path, '--seed');
  const { parseYaml } = await import('#cli/yaml-document.ts');
  const parsed = parseYaml(text);
  if ('problems' in parsed) throw seedFailure(path, parsed.problems);
  const { readSeed } = await import('../seed/parse-seed.ts');
  const seed = readSeed(parsed.root.value, { applicationId, allowLoopback });
  if (!('problems' in seed)) return seed;
  const withLine = ({ path, message }: SeedProblem) => ({ line: lineOf(parsed.root, path), message });
  throw seedFailure(path, seed.problems.map(withLine));
}

function seedFailure(path: string, mistakes: readonly YamlProblem[]) {
  const sorted = mistakes.toSorted((first, second) => first.line - second.line);
  const name = path === '-' ? 'standard input' : path;
  const shown = sorted.slice(0, maxShown).map(({ line, message }) => `${name}, line ${line}: ${message}`);
  const hidden = sorted.length - shown.length;
  return usageError(
    `The seed ${name} has ${sorted.length === 1 ? 'a mistake' : `${sorted.length} mistakes`}; the emulator was not started`,
    [...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('\n'),
  );
}

/** The line of the innermost node on this path. `line`: where `node` begins, or its name. */
function lineOf(node: YamlNode, [step, ...rest]: readonly (string | number)[], line = node.line): number {
  if (node.kind === 'list') {
    const item = node.items[Number(step)];
    return item === undefined ? line : lineOf(item, rest);
  }
  const member = node.kind === 'map' ? node.members.find(({ name }) => name === step) : undefined;
  return member === undefined ? line : lineOf(member.value, rest, member.line);
}
