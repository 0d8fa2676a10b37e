// The JSON Schema of a seed agrees with the emulator, as far as a schema can.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { createSeedSchema } from '#emulator/seed/seed-json-schema.ts';
import { run } from '#test/support/program/program.ts';
import { control } from '#test/support/service/control.ts';
import { started } from '#test/support/service/start-emulator.ts';

interface Json {
  readonly [name: string]: unknown;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keywords that the schema has, by their definition in draft 7; another one fails. */
function isValid(schema: Json, value: unknown, root: Json): boolean {
  return Object.entries(schema).every(([keyword, argument]) => {
    switch (keyword) {
      case '$schema':
      case 'title':
      case 'description':
      case 'components':
        return true;
      case '$ref': {
        const found = String(argument)
          .split('/')
          .slice(1)
          .reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), root);
        assert.ok(isObject(found), String(argument));
        return isValid(found, value, root);
      }
      case 'type':
        return [argument].flat().some((type) => hasType(type, value));
      case 'const':
        return value === argument;
      case 'enum':
        return Array.isArray(argument) && argument.includes(value);
      case 'required':
        return !isObject(value) || (Array.isArray(argument) && argument.every((name) => name in value));
      case 'properties':
        return (
          !isObject(value) ||
          !isObject(argument) ||
          Object.entries(value).every(([name, member]) => {
            const row = argument[name];
            return isObject(row) ? isValid(row, member, root) : schema['additionalProperties'] !== false;
          })
        );
      case 'additionalProperties':
        return true;
      case 'items':
        return (
          !Array.isArray(value) || !isObject(argument) || value.every((item) => isValid(argument, item, root))
        );
      case 'pattern':
        return typeof value !== 'string' || new RegExp(String(argument)).test(value);
      case 'minLength':
        return typeof value !== 'string' || [...value].length >= Number(argument);
      case 'maxLength':
        return typeof value !== 'string' || [...value].length <= Number(argument);
      case 'maxItems':
        return !Array.isArray(value) || value.length <= Number(argument);
      case 'minItems':
        return !Array.isArray(value) || value.length >= Number(argument);
      case 'minimum':
        return typeof value !== 'number' || value >= Number(argument);
      case 'exclusiveMaximum':
        return typeof value !== 'number' || value < Number(argument);
      default:
        throw new assert.AssertionError({ message: `the keyword ${keyword} is not known here` });
    }
  });
}

function hasType(type: unknown, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'null' ? value === null : typeof value === type;
}

const schema = createSeedSchema();
const fits = (seed: unknown) => isValid(schema, seed, schema);
const isRead = (seed: unknown) => !('problems' in readSeed(seed));

test('docs/emulator-seed.schema.json is what --schema prints; otherwise: npm run reference', async () => {
  const path = 'docs/emulator-seed.schema.json';
  const { output } = await run(['emulator', 'snapshot', '--schema']);
  if (process.env['WRITE_FILES']) await writeFile(path, output);
  const written = await readFile(path, 'utf8');
  assert.equal(output, written, 'Run: npm run reference');
  assert.deepEqual(JSON.parse(written), schema);
});

test('the schema accepts the sample snapshot, and names every list and member of it', async (t) => {
  const seed = await control(await started(t), 'GET', '/seed');
  assert.ok(fits(seed));
  assert.ok(isRead(seed));
});

type Lists = Readonly<Record<string, readonly Json[]>>;

/** The sample's data with one member of one record changed. */
function changed(sample: Lists, list: string, at: number, name: string, value: unknown): Json {
  const records = (sample[list] ?? []).map((record, index) =>
    index === at ? { ...record, [name]: value } : record,
  );
  return JSON.parse(JSON.stringify({ ...sample, [list]: records }));
}

const listsOf = (sample: Lists) => Object.keys(sample).filter((list) => list !== 'version');

function namesIn(list: string): readonly string[] {
  const [lists, found] = [
    schema['properties'],
    (object: unknown, name: string) => isObject(object) && object[name],
  ];
  const names = found(found(found(lists, list), 'items'), 'properties');
  assert.ok(isObject(names));
  return [...Object.keys(names), 'x'];
}

test('the schema accepts what the emulator reads: each member with each kind of value', async (t) => {
  const sample: Lists = await control(await started(t), 'GET', '/seed');
  const others = [undefined, null, '', 'A', 'New', 1, -1, true, [], {}, ['A'], [1], [null], [{}], 'KUAAADAQ'];
  // The last cannot be made a string.
  const values = [...others, { toString: null }];
  const counts = { both: 0, neither: 0, 'only the schema': 0 };
  for (const list of listsOf(sample))
    for (const name of namesIn(list))
      for (const value of values) {
        const seed = changed(sample, list, (sample[list]?.length ?? 1) - 1, name, value);
        const [schemaSays, emulatorSays] = [fits(seed), isRead(seed)];
        const what = `${list}: ${name}: ${JSON.stringify(value)}`;
        if (emulatorSays) assert.ok(schemaSays, `the schema rejects what the emulator reads: ${what}`);
        counts[schemaSays ? (emulatorSays ? 'both' : 'only the schema') : 'neither']++;
      }
  // A schema cannot say what refers to nothing, and the like.
  assert.ok(Math.min(...Object.values(counts)) > 100, JSON.stringify(counts));
});

test('the schema accepts what the emulator reads: any JSON in any place', async (t) => {
  const sample: Lists = await control(await started(t), 'GET', '/seed');
  const places = fc.constantFrom(...listsOf(sample)).chain((list) =>
    fc.record({
      list: fc.constant(list),
      at: fc.nat({ max: (sample[list]?.length ?? 1) - 1 }),
      name: fc.constantFrom(...namesIn(list)),
    }),
  );
  fc.assert(
    fc.property(places, fc.jsonValue(), ({ list, at, name }, value) => {
      const seed = changed(sample, list, at, name, value);
      if (isRead(seed)) assert.ok(fits(seed), 'the schema rejects what the emulator reads');
    }),
    { numRuns: 150 },
  );
});

test('a list without a value is empty, for the emulator and for the schema', () => {
  for (const list of Object.keys(schema['properties'] ?? {}).filter((name) => name !== 'version'))
    assert.deepEqual(
      [isRead({ version: 1, [list]: null }), fits({ version: 1, [list]: null })],
      [true, true],
    );
});

test('the schema rejects an unknown name, a missing title and a value of another kind', () => {
  assert.ok(fits({ version: 1 }));
  assert.ok(fits({ version: 1, tasks: [{ title: 'a', parentIds: ['Site'] }] }));
  for (const seed of [
    {},
    { version: 2 },
    { version: 1, task: [] },
    { version: 1, tasks: [{}] },
    { version: 1, tasks: [{ title: 'a', due: 'x' }] },
    { version: 1, tasks: [{ title: 'a', importance: 'Huge' }] },
    { version: 1, users: [{ firstName: 'A', admin: 'yes' }] },
    { version: 1, workflows: [{ name: 'A' }] },
  ])
    assert.ok(!fits(seed), JSON.stringify(seed));
});
