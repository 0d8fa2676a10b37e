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
    ...closedObject(['version'], [['version', { const: seedVersion }], ...lists]),
    components: { schemas: components.schemas },
  };
}

function listSchema(list: SeedList, components: Components): JsonObject {
  const properties = storedMembers(list).map(
    ([member, schema]) => [nameInFile(list, member), memberSchema(list, member, schema, components)] as const,
  );
  const required = seedRows[list].required.map((member) => nameInFile(list, member));
  // YAML reads a list whose entries are all commented out as null.
  return { type: ['array', 'null'], items: closedObject(required, properties) };
}

const closedObject = (required: string[], properties: readonly (readonly [string, unknown])[]) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties: Object.fromEntries(properties),
});

function memberSchema(list: SeedList, member: string, schema: Schema<unknown>, components: Components) {
  const targets = references.get(list)?.[member];
  if (targets !== undefined) {
    const isList = schema.form?.kind === 'list';
    const description = `By id or name, of: ${targets.join(', ')}`;
    return isList ? { description, type: 'array', items: anyText } : { description, ...anyText };
  }
  if (member === 'customStatusId') return { description: 'By id or name, of a workflow', ...anyText };
  if (member === 'project') return looseObject(schema, components);
  if (member === 'statuses' || member === 'customFields')
    return { type: 'array', items: looseObject(schema.item ?? schema, components) };
  return components.translate(schema, 'sent');
}

/** An object whose id may be omitted, and whose ids may be names. */
function looseObject({ shape = {} }: Schema<unknown>, components: Components): JsonObject {
  const members = Object.entries(shape);
  const required = members.filter(([name, { optional }]) => name !== 'id' && !optional).map(([name]) => name);
  const properties = members.map(([name, schema]) => {
    if (name === 'ownerIds') return [name, { type: 'array', items: anyText }] as const;
    return [name, /^id$|Id$/.test(name) ? anyText : components.translate(schema, 'sent')] as const;
  });
  return closedObject(required, properties);
}
