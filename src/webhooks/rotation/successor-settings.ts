// Resolves the settings of a successor from the service's record, this machine's record and the flags, in this order. An
// unknown setting is never guessed: a successor with other events would lose some.

import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { formatRepeatedCommand } from '#cli/format-command.ts';
import type { CreatedAs, RotationState } from '#cli/local-webhook.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { replaceError, ValidationError } from '#contract/schema.ts';
import { webhookCreateParameters } from '#contract/webhook.ts';
import { commandHint, type Failure, joinHints, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { notShown } from '../coverage.ts';
import { filtersKey, listKey, type Member, members, scopeKey } from '../hooks-file/hooks-file.ts';
import { findFacts, findUnknown, type WebhookFacts } from '../hooks-file/webhook-facts.ts';
import { validateCreate } from '../new-webhook/create-request.ts';
import { eventFlags, selectEvents } from '../new-webhook/event-selection.ts';
import { resolveScope } from '../new-webhook/resolve-scope.ts';
import type { Hook } from '../records/hook.ts';
import { abortCommand, fromCreatedAs } from './rotation.ts';

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

export async function resolveSettings(
  context: Context,
  webhook: Hook,
  flags: SettingsFlags,
): Promise<CreatedAs> {
  const facts = findFacts(webhook);
  const { id, url } = facts;
  if (url === undefined)
    throw usageError(`The service shows no URL of webhook ${id}, so its successor cannot be created`);
  assertNoContradiction(flags);
  const fromFlags = await readFlags(context, flags);
  assertUnknownOnly(facts, fromFlags);
  const unknown = findUnknown(facts)
    .filter((name) => name !== 'secret')
    .filter((name) => fromFlags[name] === undefined);
  // An account has no subfolders, and an unknown scope is asked for first.
  const place = facts.scope ?? fromFlags.scope;
  const hasSubfolders = (place?.folderId ?? place?.spaceId) !== undefined;
  const missing = unknown.filter((member) => member !== 'recursive' || hasSubfolders);
  if (missing.length > 0) throw unknownFailure(context, id, missing);
  const merged = { ...facts, ...fromFlags };
  const { scope = {}, recursive, events, parameterisedEvents = [], customItemTypes = [] } = merged;
  const resolved: CreatedAs = {
    at: new Date(context.world.clock.now()).toISOString(),
    hookUrl: url,
    signed: true,
    ...omitUndefined({ folderId: scope.folderId, spaceId: scope.spaceId }),
    ...(recursive ? { recursive } : {}),
    ...(events === undefined || events === 'all' || events.length === 0 ? {} : { events }),
    ...(parameterisedEvents.length === 0 ? {} : { parameterisedEvents }),
    ...(customItemTypes.length === 0 ? {} : { customItemTypes }),
  };
  replaceError(
    ValidationError,
    () => validateCreate(fromCreatedAs(resolved)),
    ({ message }) => usageError(`The successor of webhook ${id} cannot be created: ${message}`),
  );
  return resolved;
}

export function assertSameSettings(
  context: Context,
  id: string,
  requested: CreatedAs,
  { settings }: RotationState,
): void {
  const { at: _, ...requestedSettings } = requested;
  const { at: _began, ...recordedSettings } = settings;
  if (isDeepStrictEqual(requestedSettings, recordedSettings)) return;
  throw usageError(
    'The flags differ from the ones with which the rotation began',
    `Omit them to continue. To begin anew: ${abortCommand(context, id)}`,
  );
}

export function namesSettings(flags: SettingsFlags): boolean {
  return Object.entries(flags).some(([name, value]) => name in settingsFlags && value !== undefined);
}

type Setting = Exclude<Member, 'secret'>;
type FlagSettings = { readonly [Name in Setting]?: WebhookFacts[Name] | undefined };

async function readFlags(context: Context, flags: SettingsFlags): Promise<FlagSettings> {
  const { account, space, recursive, allEvents, customItemTypes, allItemTypes } = flags;
  const resolved = space === undefined ? undefined : await resolveScope(context, { space });
  const events = namesEvents(flags) ? await selectEvents(context, flags) : undefined;
  return {
    ...(allEvents ? { events: 'all', parameterisedEvents: [] } : {}),
    ...(events ? { events: events.events ?? [], parameterisedEvents: events.parameterisedEvents ?? [] } : {}),
    ...omitUndefined({
      scope: account ? {} : resolved && { spaceId: resolved.spaceId },
      recursive,
      customItemTypes: allItemTypes ? [] : customItemTypes,
    }),
  };
}

function namesEvents({ events, filter, payloadFields, parameterisedEvents }: SettingsFlags): boolean {
  return [events, filter, payloadFields, parameterisedEvents].some((flag) => flag !== undefined);
}

function assertNoContradiction(flags: SettingsFlags): void {
  const { account, space, recursive, allEvents, customItemTypes, allItemTypes } = flags;
  const pairs: readonly (readonly [boolean, string])[] = [
    [account === true && space !== undefined, '--account and --space'],
    [account === true && recursive !== undefined, '--account and --recursive'],
    [
      allEvents === true && namesEvents(flags),
      '--all-events and --events, --filter, --payload-fields or --parameterised-events',
    ],
    [allItemTypes === true && customItemTypes !== undefined, '--all-item-types and --custom-item-types'],
  ];
  const [, flagNames] = pairs.find(([isContradiction]) => isContradiction) ?? [];
  if (flagNames !== undefined) throw usageError(`${flagNames} cannot be combined`, 'Give one of them.');
}

/** A flag may repeat a known setting, but not change it: the successor differs only in its secret. */
function assertUnknownOnly(facts: WebhookFacts, fromFlags: FlagSettings): void {
  const isChanged = (name: Setting) =>
    facts[name] !== undefined &&
    fromFlags[name] !== undefined &&
    settings[name].key(facts) !== settings[name].key(fromFlags);
  const changed = members.filter((name) => name !== 'secret').find(isChanged);
  if (changed === undefined) return;
  throw usageError(
    `The flags would change the ${settings[changed].words} of webhook ${facts.id}`,
    'A rotation changes only the secret: omit the flags.',
  );
}

const eventChoices =
  '--all-events, or --events EVENT,... with --filter and --payload-fields as it was created';

interface SettingFlags {
  readonly words: string;
  /** The flag for the widest value. */
  readonly widest: string;
  readonly choices: string;
  /** Equal for equal values. */
  readonly key: (fromFlags: FlagSettings) => string;
}

const settings: Readonly<Record<Setting, SettingFlags>> = {
  scope: {
    words: 'account or space',
    widest: '--account',
    choices: '--account, or --space ID with --recursive or --no-recursive',
    key: ({ scope }) => scopeKey(scope),
  },
  recursive: {
    words: 'subfolders',
    widest: '--recursive',
    choices: '--recursive or --no-recursive',
    key: ({ recursive }) => String(recursive),
  },
  events: {
    words: 'events',
    widest: '--all-events',
    choices: eventChoices,
    key: ({ events }) => listKey(events),
  },
  parameterisedEvents: {
    words: 'filters and payload fields',
    widest: '--all-events',
    choices: eventChoices,
    key: ({ parameterisedEvents }) => filtersKey(parameterisedEvents),
  },
  customItemTypes: {
    words: 'item types',
    widest: '--all-item-types',
    choices: '--all-item-types or --custom-item-types ID,...',
    key: ({ customItemTypes }) => listKey(customItemTypes),
  },
};

function unknownFailure(context: Context, id: string, missing: readonly Setting[]): Failure {
  const widestFlags = [...new Set(missing.map((name) => settings[name].widest))];
  return usageError(
    `Missing the ${joinWithAnd(missing.map((name) => settings[name].words))} of webhook ${id}; nothing was changed`,
    joinHints([
      'Name the settings that it was created with:',
      ...[...new Set(missing.map((name) => settings[name].choices))].map((line) => `  ${line}`),
      commandHint(
        'If it delivers everything: ',
        formatRepeatedCommand(context, 'webhook rotate-secret', [id], [], ...widestFlags),
      ),
    ]),
    `${notShown}, and wm on this machine did not create it`,
  );
}
