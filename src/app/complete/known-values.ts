// Completed values that are not in the definitions: events, profiles, and ids that commands have read. Never uses the network.

import { accountOptions } from '#cli/context.ts';
import { eventGroups, eventsOfGroup } from '#cli/event-groups.ts';
import type { CompletedValue } from '#cli/flags/flag.ts';
import { loadSettings } from '#cli/settings/load-settings.ts';
import { type EventName, eventNames, events } from '#contract/event.ts';
import { taskStatus } from '#contract/task.ts';
import { findCacheOwner, type RecordKind, readRecordCache } from '#local-records/record-cache.ts';
import { readProfiles } from '#login/profile.ts';
import type { AccountOptions } from '#login/select-account.ts';
import type { World } from '#world/world.ts';
import type { Value, ValueSource } from './candidates.ts';

type Parts = Pick<World, 'environment' | 'files' | 'process'>;

const recordKinds: Readonly<Partial<Record<CompletedValue, readonly RecordKind[]>>> = {
  task: ['task'],
  place: ['folder', 'space'],
  user: ['user'],
};

/** Returns no values if a file cannot be read. */
export function createValueSource(world: World): ValueSource {
  return async (kind, profile) => {
    try {
      if (kind === 'event') return eventNames.map(toEventValue);
      if (kind === 'event or group') return [...groupValues, ...eventNames.map(toEventValue)];
      if (kind === 'status') return taskStatus.choices.map((text) => ({ text, description: '' }));
      if (kind === 'profile') return await profileValues(world);
      if (kind === 'webhook') return await webhookValues(world, profile);
      return [
        ...(kind === 'user' ? [{ text: '@me', description: 'You' }] : []),
        ...(await recordValues(world, profile, recordKinds[kind] ?? [])),
      ];
    } catch {
      return [];
    }
  };
}

function toEventValue(name: EventName): Value {
  return { text: name, description: events[name].note ?? '' };
}

const groupValues: readonly Value[] = [
  { text: 'all', description: 'All events, also later ones' },
  ...eventGroups.map((text) => ({ text, description: `${eventsOfGroup(text).length} events` })),
];

async function profileValues(world: Parts): Promise<readonly Value[]> {
  const { profiles } = await readProfiles(world);
  return profiles.map(({ name, user, host }) => ({
    text: name,
    description: user === undefined ? host : `${user}, ${host}`,
  }));
}

async function recordValues(world: Parts, profile: string | undefined, kinds: readonly RecordKind[]) {
  const owner = await findCacheOwner(world, await accountOf(world, profile));
  if (owner === undefined) return [];
  const records = await readRecordCache(world, owner);
  const values = records
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ id, title }) => [id, { text: id, description: title, isNamed: true as const }] as const);
  // A space is also a folder with the same id.
  return [...new Map(values).values()];
}

/** Includes the labels on this machine. */
async function webhookValues(world: World, profile: string | undefined): Promise<readonly Value[]> {
  const account = await accountOf(world, profile);
  const { WebhookRecords } = await import('#local-records/webhook-records.ts');
  const local = await new WebhookRecords({ world, account, report: { warnOnce: async () => {} } }).read();
  const values = await recordValues(world, profile, ['webhook']);
  return values.map((value) => {
    const label = local.get(value.text)?.label;
    return label === undefined ? value : { ...value, description: `${label}, ${value.description}` };
  });
}

async function accountOf(world: Parts, profile: string | undefined): Promise<AccountOptions> {
  const account = accountOptions(world.environment, profile === undefined ? {} : { profile });
  const { folderProfile } = await loadSettings(world, account);
  return { ...account, folderProfile };
}
