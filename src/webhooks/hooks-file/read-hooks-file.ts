// Reads a webhook file and reports every mistake with its line. A single mistake stops the command: machines apply a
// repository's file, without a person who would notice.

import type { Context } from '#cli/context.ts';
import { decodeInput } from '#cli/decode-text.ts';
import { readInput } from '#cli/file-value.ts';
import { isIdShaped, isLink } from '#cli/resolve/id-shape.ts';
import { type PlaceKind, readPlaces, resolvePlace } from '#cli/resolve/resolve-place.ts';
import type { YamlNode, YamlProblem } from '#cli/yaml-document.ts';
import { urlKey } from '#client/expected-records.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { formatValue } from '#contract/schema.ts';
import { Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { settingKeys, wholeKey } from '../compare-settings.ts';
import { isAccountLocal } from '../new-webhook/check-hook-url.ts';
import { Problems } from './entry-problems.ts';
import { formatVersion, type HookEntry } from './hooks-file.ts';
import { parseEntry } from './parse-entry.ts';

/** `export` writes at most four times the list of webhooks, which has at most 32 MB. */
const maxBytes = 128 * 1024 * 1024;
const maxShown = 20;

export const fileArgument = {
  help: 'the file, as `wm webhook export` writes it; - for standard input',
} as const;

export async function readHooksFile(context: Context, path: string): Promise<readonly HookEntry[]> {
  const missing = 'To write one: wm webhook export > hooks.yaml';
  const bytes = await readInput(context.world, path, path === '-' ? 'FILE' : '', maxBytes, { missing });
  const { parseYaml } = await import('#cli/yaml-document.ts');
  const result = parseYaml(decodeInput(bytes, nameOf(path)));
  if ('problems' in result) throw fileFailure(path, result.problems);
  const allowLoopback = await isAccountLocal(context);
  const problems = new Problems();
  const entries = parseFile(result.root, problems, (url) => validateHookUrl(url, { allowLoopback }));
  const resolved = problems.all.length > 0 ? entries : await resolveScopes(context, entries, problems);
  findDoubles(resolved, problems);
  if (problems.all.length > 0) throw fileFailure(path, problems.all);
  return resolved;
}

/** Replaces titles and permalinks by ids. Reads each list once, and only if it is needed. */
async function resolveScopes(context: Context, entries: readonly HookEntry[], problems: Problems) {
  const lists: { [K in PlaceKind]?: ReturnType<typeof readPlaces> } = {};
  const resolve = async (kind: PlaceKind, text: string | undefined): Promise<string | undefined> => {
    if (text === undefined || isIdShaped(text)) return text;
    if (isLink(text)) return resolvePlace(context, text, kind);
    lists[kind] ??= readPlaces(context, [kind]);
    return resolvePlace(context, text, kind, [kind], await lists[kind]);
  };
  const resolved: HookEntry[] = [];
  for (const entry of entries) {
    const { line, scope, scopeLine = line } = entry;
    try {
      const folderId = await resolve('folder', scope?.folderId);
      const spaceId = await resolve('space', scope?.spaceId);
      resolved.push({ ...entry, ...(scope && { scope: omitUndefined({ folderId, spaceId }) }) });
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'usage')) throw error;
      problems.add(scopeLine, `${error.message.replace(/^--/, '')}. ${error.hint ?? ''}`.trim());
    }
  }
  return resolved;
}

function parseFile(root: YamlNode, problems: Problems, checkUrl: (url: string) => unknown) {
  const nodes = problems.members(root, 'the file', ['version', 'webhooks']);
  if (!nodes) return [];
  const version = nodes.get('version');
  if (version === undefined) problems.add(1, `the file has no version: write version: ${formatVersion}`);
  else if (version.kind !== 'scalar' || version.value !== formatVersion)
    problems.add(version.line, `version is not ${formatVersion}, the only one that this wm reads`);
  const webhooks = nodes.get('webhooks');
  if (webhooks?.kind !== 'list') {
    problems.add(webhooks?.line ?? 1, 'the file has no list of webhooks; for none, write webhooks: []');
    return [];
  }
  return webhooks.items.flatMap((item) => parseEntry(item, problems, checkUrl) ?? []);
}

/** Rejects a repeated webhook, which would deliver each event twice unless it is suspended, and a repeated label. */
function findDoubles(entries: readonly HookEntry[], problems: Problems): void {
  const [labels, webhooks] = [new Map<string, number>(), new Map<string, number>()];
  for (const entry of entries) {
    const { line, label } = entry;
    if (label !== undefined) {
      const name = foldCase(label);
      const before = labels.get(name);
      if (before !== undefined)
        problems.add(line, `the webhook on line ${before} has the label ${formatValue(label)} too`);
      labels.set(name, line);
    }
    const settings = wholeKey(settingKeys(entry));
    if (settings === undefined || entry.signed === undefined || entry.status === 'Suspended') continue;
    const key = `${urlKey(entry.url)} ${settings}`;
    const before = webhooks.get(key);
    if (before !== undefined) problems.add(line, `this is the same webhook as on line ${before}`);
    webhooks.set(key, line);
  }
}

function fileFailure(path: string, problems: readonly YamlProblem[]): Failure {
  const shown = problems.slice(0, maxShown).map(({ line, message }) => `line ${line}: ${message}`);
  const omitted = problems.length - shown.length;
  const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
  return usageError(
    `${nameOf(path)} has ${count}; nothing was done`,
    [...shown, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join('\n'),
  );
}

const nameOf = (path: string): string => (path === '-' ? 'Standard input' : path);
