// Resolves the settings of a successor from the service's record, this machine's record and the flags, in this order. An
// unknown setting is never guessed: a successor with other events would lose some.

import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags, textFlag, toKebabCase } from '#cli/flags/flag.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import { withValueName } from '#cli/parse-values.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { webhookCreateParameters } from '#contract/webhook-create.ts';
import { commandHint, type Failure, joinHints, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { compareSettings, findUnknown, type Member, settingKeys } from '../compare-settings.ts';
import { notShown, settingsOf, type WebhookSettings } from '../coverage.ts';
import { toNewWebhook, validateCreate } from '../new-webhook/create-request.ts';
import { eventFlags, selectEvents } from '../new-webhook/event-selection.ts';
import { resolveScope } from '../new-webhook/resolve-scope.ts';
import type { Hook } from '../records/hook.ts';
import { abortCommand } from './rotation-state.ts';

const { events, ...otherEventFlags } = eventFlags;

export const settingsFlags = {
  account: booleanFlag('It covers the account (if neither the service nor a record says so)'),
  space: textFlag('ID', 'It covers this space: its id or title', 'place'),
  recursive: booleanFlag(webhookCreateParameters.recursive.meaning, { negatable: true }),
  events,
  allEvents: booleanFlag('It delivers all events'),
  ...otherEventFlags,
  allItemTypes: booleanFlag('It delivers for items of all types'),
};

type SettingsFlags = ParsedFlags<typeof settingsFlags>;

/** The recorded settings, if the rotation is under way: flags may only repeat them. */
export async function resolveSettings(context: Context, webhook: Hook, flags: SettingsFlags) {
  const recorded = webhook.local?.rotation?.settings;
  const namesSettings = Object.keys(settingsFlags).some((name) => isGiven(flags, name));
  if (recorded && !(webhook.raw && namesSettings)) return recorded;
  const { id, hookUrl } = webhook.record;
  if (hookUrl === undefined)
    throw usageError(`The service shows no URL of webhook ${id}, so its successor cannot be created`);
  assertNoContradiction(flags);
  const known = settingsOf(webhook);
  const fromFlags = await readFlags(context, flags);
  assertUnknownOnly(id, known, fromFlags);
  const settings = { ...known, ...fromFlags };
  // An account has no subfolders, and an unknown scope is asked for first.
  const hasSubfolders = (settings.scope?.folderId ?? settings.scope?.spaceId) !== undefined;
  const missing = findUnknown(settings)
    .filter((member) => member !== 'secret')
    .filter((member) => member !== 'recursive' || hasSubfolders);
  if (missing.length > 0) throw unknownFailure(context, id, missing, settings.events);
  const successor = withValueName(`The successor of webhook ${id} cannot be created`, () => {
    const created = toNewWebhook(hookUrl, settings);
    validateCreate(created);
    return created;
  });
  const { at = new Date(context.world.clock.now()).toISOString() } = recorded ?? {};
  const resolved = { at, signed: true, ...successor };
  if (!recorded || isDeepStrictEqual(resolved, recorded)) return resolved;
  throw usageError(
    'The flags differ from the ones with which the rotation began',
    `Omit them to continue. To begin anew: ${abortCommand(context, id)}`,
  );
}

type Setting = Exclude<Member, 'secret'>;

async function readFlags(context: Context, flags: SettingsFlags): Promise<WebhookSettings> {
  const { account, space, recursive, allEvents, customItemTypes, allItemTypes } = flags;
  const resolved = space === undefined ? undefined : await resolveScope(context, { space });
  const namesEvents = excludedBy.allEvents.some((name) => isGiven(flags, name));
  const events = namesEvents ? await selectEvents(context, flags) : undefined;
  return {
    ...(allEvents ? { events: 'all', parameterisedEvents: [] } : {}),
    ...(events ? { events: events.events ?? [], parameterisedEvents: events.parameterisedEvents ?? [] } : {}),
    ...omitUndefined({
      scope: account ? {} : resolved,
      recursive,
      customItemTypes: allItemTypes ? [] : customItemTypes,
    }),
  };
}

/** By the flag for the widest value of a setting. */
const excludedBy: Readonly<Record<'account' | 'allEvents' | 'allItemTypes', readonly string[]>> = {
  account: ['space', 'recursive'],
  allEvents: ['events', 'filter', 'payloadFields', 'parameterisedEvents'],
  allItemTypes: ['customItemTypes'],
};

function assertNoContradiction(flags: SettingsFlags): void {
  for (const [widest, others] of Object.entries(excludedBy)) {
    const other = isGiven(flags, widest) ? others.find((name) => isGiven(flags, name)) : undefined;
    if (other === undefined) continue;
    const flagNames = [widest, other].map((name) => `--${toKebabCase(name)}`);
    throw usageError(`${flagNames.join(' and ')} cannot be combined`, 'Give one of them.');
  }
}

const isGiven = (flags: Readonly<Record<string, unknown>>, name: string) => flags[name] !== undefined;

/** A flag may repeat a known setting, but not change it: the successor differs only in its secret. */
function assertUnknownOnly(id: string, known: WebhookSettings, fromFlags: WebhookSettings): void {
  const changed = compareSettings(settingKeys(known), settingKeys(fromFlags)).different.find(
    (member) => member !== 'secret',
  );
  if (changed === undefined) return;
  throw usageError(
    `The flags would change the ${flagsOf[changed][0]} of webhook ${id}`,
    'A rotation changes only the secret: omit the flags.',
  );
}

const eventChoices =
  '--all-events, or --events EVENT,... with --filter and --payload-fields as it was created';

/** `widest`: the flag for the widest value. */
const flagsOf: Readonly<Record<Setting, readonly [words: string, widest: string, choices: string]>> = {
  scope: ['account or space', '--account', '--account, or --space ID with --recursive or --no-recursive'],
  recursive: ['subfolders', '--recursive', '--recursive or --no-recursive'],
  events: ['events', '--all-events', eventChoices],
  parameterisedEvents: ['filters and payload fields', '--all-events', eventChoices],
  customItemTypes: ['item types', '--all-item-types', '--all-item-types or --custom-item-types ID,...'],
};

function unknownFailure(
  context: Context,
  id: string,
  missing: readonly Setting[],
  events: WebhookSettings['events'],
): Failure {
  const rows = missing.map((name) => flagsOf[name]);
  // Known events rule out all events.
  const allEvents = Array.isArray(events) ? `--events=${events.join(',')}` : '--all-events';
  const widestFlags = new Set(rows.map(([, flag]) => flag.replace('--all-events', allEvents)));
  const choices = new Set(rows.map(([, , flags]) => `  ${flags}`));
  return usageError(
    `Missing the ${joinWithAnd(rows.map(([words]) => words))} of webhook ${id}; nothing was changed`,
    joinHints([
      'Name the settings that it was created with:',
      ...choices,
      commandHint(
        'If it delivers everything: ',
        formatRepeatedCommand(context, 'webhook rotate-secret', [id], [], ...widestFlags),
      ),
    ]),
    `${notShown}, and wm on this machine did not create it`,
  );
}
