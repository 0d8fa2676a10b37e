// The user's own data that an emulator starts with: an application, and records from a seed file. Every mistake in the file is
// named with its line.

import { decodeText } from '#cli/decode-text.ts';
import { readStandardInput } from '#cli/file-value.ts';
import type { ParsedFlags } from '#cli/flags/flag.ts';
import { readFileBytes } from '#cli/read-file-bytes.ts';
import type { YamlNode } from '#cli/yaml-document.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import type { EmulatorOptions } from '../service/settings.ts';
import type { emulatorFlags } from './flags.ts';

type Given = ParsedFlags<typeof emulatorFlags>;

/** Throws a usage failure with everything that is wrong with the file. */
export async function readOwnData(
  world: World,
  flags: Given,
): Promise<Pick<EmulatorOptions, 'seed' | 'application'>> {
  const application = await readApplication(world, flags);
  const seed =
    flags.seed === undefined
      ? undefined
      : await readSeedFile(world, flags.seed, {
          applicationId: application?.clientId,
          allowLoopback: flags.allowLocalHooks,
        });
  return { ...(application && { application }), ...(seed && { seed }) };
}

async function readApplication(
  world: World,
  { clientId, clientSecretFile, redirectUri }: Given,
): Promise<EmulatorOptions['application']> {
  if (clientId === undefined) {
    const other = redirectUri === undefined ? 'client-secret-file' : 'redirect-uri';
    if (redirectUri !== undefined || clientSecretFile !== undefined)
      throw usageError(
        `--${other} needs --client-id`,
        'For example: --client-id my-app --redirect-uri https://app.example.com/callback',
      );
    return undefined;
  }
  const secret =
    clientSecretFile === undefined
      ? undefined
      : (await readText(world, clientSecretFile, '--client-secret-file')).trim();
  if (secret === '') throw usageError(`--client-secret-file: ${clientSecretFile} is empty`);
  if (secret !== undefined) world.secrets.add(secret);
  return { clientId, ...omitUndefined({ clientSecret: secret, redirectUris: redirectUri }) };
}

const maxBytes = 64 * 1024 * 1024;
const maxShown = 20;
const seedHint = 'To write one from a running emulator: wm emulator snapshot > seed.yaml';

async function readText(world: World, path: string, flag: string): Promise<string> {
  const bytes =
    path === '-'
      ? await readStandardInput(world, maxBytes, flag)
      : await readFileBytes(world, path, flag, maxBytes, flag === '--seed' ? { missing: seedHint } : {});
  try {
    return decodeText(bytes, { fatal: true });
  } catch {
    throw usageError(`${flag}: ${path} is neither UTF-8 nor UTF-16 text`);
  }
}

interface LinedProblem {
  readonly line: number;
  readonly message: string;
}

async function readSeedFile(
  world: World,
  path: string,
  options: { readonly applicationId: string | undefined; readonly allowLoopback: boolean | undefined },
): Promise<NonNullable<EmulatorOptions['seed']>> {
  const text = await readText(world, path, '--seed');
  const { parseYaml } = await import('#cli/yaml-document.ts');
  const parsed = parseYaml(text);
  if ('problems' in parsed) throw seedFailure(path, parsed.problems);
  const { readSeed } = await import('../seed/parse-seed.ts');
  const read = readSeed(toValue(parsed.root), options);
  if ('problems' in read)
    throw seedFailure(
      path,
      read.problems.map(({ path: place, message }) => ({ line: lineOf(parsed.root, place), message })),
    );
  return read;
}

function seedFailure(path: string, problems: readonly LinedProblem[]) {
  const sorted = problems.toSorted((one, other) => one.line - other.line);
  const name = path === '-' ? 'standard input' : path;
  const shown = sorted.slice(0, maxShown).map(({ line, message }) => `${name}, line ${line}: ${message}`);
  const more = sorted.length - shown.length;
  return usageError(
    `The seed ${name} has ${sorted.length === 1 ? 'a mistake' : `${sorted.length} mistakes`}; the emulator was not started`,
    [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  );
}

/** As JSON has it. */
function toValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toValue);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, toValue(value)]));
}

/** The line of the innermost part of the place that the file has. */
function lineOf(root: YamlNode, place: readonly (string | number)[]): number {
  let { line } = root;
  let node: YamlNode | undefined = root;
  for (const step of place) {
    if (node?.kind === 'list') {
      node = node.items[Number(step)];
      line = node?.line ?? line;
    } else if (node?.kind === 'map') {
      const member: { readonly line: number; readonly value: YamlNode } | undefined = node.members.find(
        ({ name }) => name === step,
      );
      line = member?.line ?? line;
      node = member?.value;
    } else break;
  }
  return line;
}
