// The flags that say what nobody knows of a webhook that another machine created: the service does not show all that its
// successor has to be created with.

import { webhookCreateParameters } from '../../../contract/webhook.ts';
import { eventsFlag } from '../../event-groups.ts';
import { booleanFlag, listFlag, type ParsedFlags, textFlag, valueFlag } from '../../flag.ts';
import { filterFlag, payloadFieldsFlag } from '../create/event-selection.ts';

const { customItemTypes, parameterisedEvents, recursive } = webhookCreateParameters;

export const settingsFlags = {
  account: booleanFlag('It covers the account (if neither the service nor a record says so)'),
  space: textFlag('ID', 'It covers this space: its id or title', 'place'),
  recursive: booleanFlag(`${recursive.meaning}`, { negatable: true }),
  events: eventsFlag,
  allEvents: booleanFlag('It delivers all events'),
  filter: filterFlag,
  payloadFields: payloadFieldsFlag,
  parameterisedEvents: {
    ...valueFlag(parameterisedEvents.schema, 'JSON', parameterisedEvents.meaning),
    acceptsFile: true,
  } as const,
  customItemTypes: listFlag(customItemTypes.schema, 'ID', customItemTypes.meaning),
  allItemTypes: booleanFlag('It delivers for items of all types'),
};

export type SettingsFlags = ParsedFlags<typeof settingsFlags>;

export const settingsNames = Object.keys(settingsFlags);
