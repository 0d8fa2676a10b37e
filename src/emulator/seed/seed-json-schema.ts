// The JSON Schema of a seed file, for editors and for programs that write seeds.

import type { Schema } from '#contract/schema.ts';
import { Components, type JsonObject } from '#contract-document/json-schema.ts';
import { seedVersion } from './seed-records.ts';
import { nameInFile, references, type SeedList, seedLists, seedRows, storedMembers } from './seed-rows.ts';

const anyText: JsonObject = { type: 'string' };

export function createSeedSchema(): JsonObject {
  const components = new Components('draft-7');
  const lists = seedLists.map((list) => [list, listSchema(list, components)] as const);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: "The data that wm's emulator starts with",
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: { version: { const: seedVersion }, ...Object.fromEntries(lists) },
    components: { schemas: components.schemas },
  };
}

function listSchema(list: SeedList, components: Components): JsonObject {
  const properties = storedMembers(list).map(
    ([member, schema]) => [nameInFile(list, member), memberSchema(list, member, schema, components)] as const,
  );
  return {
    // YAML reads a list whose entries are all commented out as null.
    type: ['array', 'null'],
    items: {
      type: 'object',
      required: seedRows[list].required.map((member) => nameInFile(list, member)),
      additionalProperties: false,
      properties: Object.fromEntries(properties),
    },
  };
}

function memberSchema(
  list: SeedList,
  member: string,
  schema: Schema<unknown>,
  components: Components,
): JsonObject {
  const targets = references.get(list)?.[member];
  if (targets !== undefined) {
    const isList = schema.form?.kind === 'list';
    const description = `By id or name, of: ${targets.join(', ')}`;
    return isList ? { description, type: 'array', items: anyText } : { description, ...anyText };
  }
  if (member === 'customStatusId') return { description: 'By id or name, of a workflow', ...anyText };
  if (member === 'statuses' || (member === 'customFields' && list !== 'customFields'))
    return looseEntries(schema, components);
  return components.translate(schema, 'sent');
}

/** Entries whose id may be omitted, or be a name. */
function looseEntries({ item }: Schema<unknown>, components: Components): JsonObject {
  const members = Object.entries(item?.shape ?? {});
  return {
    type: 'array',
    items: {
      type: 'object',
      required: members.map(([name]) => name).filter((name) => name !== 'id'),
      additionalProperties: false,
      properties: Object.fromEntries(
        members.map(([name, schema]) => [
          name,
          name === 'id' ? anyText : components.translate(schema, 'sent'),
        ]),
      ),
    },
  };
}
