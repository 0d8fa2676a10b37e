// The complete error messages for invalid values, as users and senders see them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeList } from '#contract/authorization.ts';
import { customFieldText } from '#contract/custom-field-schemas.ts';
import { isGlobalAddress } from '#contract/hook-url.ts';
import { validatePayload } from '#contract/payload.ts';
import { ruleOf } from '#contract/rule.ts';
import {
  formatValue,
  list,
  nullable,
  number,
  object,
  openText,
  parseBracketedList,
  readLeniently,
  text,
  ValidationError,
} from '#contract/schema.ts';
import { webhookStatus } from '#contract/webhook.ts';
import { webhookCreateParameters } from '#contract/webhook-create.ts';

const { events, parameterisedEvents } = webhookCreateParameters;
const hours = number('hours', { from: 0, below: 1_000 });
const seconds = number('seconds', { from: 0, unit: 'seconds' });
const numbers = list(hours, { max: 2, entryName: 'values' });

const rows: readonly (readonly [run: () => unknown, message: string])[] = [
  [() => scopeList.validate('Default'), '"Default" is not a list of scopes'],
  [() => hours.fromWire('1e3'), '"1e3" is not a number'],
  [() => hours.fromWire('1.5 '), '"1.5 " is not a number'],
  [() => hours.fromWire('-0.5'), '-0.5 is not in the range [0, 1000)'],
  [() => hours.fromWire('1000'), '1000 is not in the range [0, 1000)'],
  [() => seconds.validate(-1), '-1 is not 0 or more seconds'],
  [() => numbers.validate([1, 2, 3]), '3 values exceed the limit of 2'],
  [() => numbers.validate([1, 'x']), 'entry 2: "x" is not a number'],
  [() => numbers.fromWire('{}'), '{} is not a list (hours[])'],
  [() => customFieldText.validate('a\u0000'), '"a\\u0000" holds U+0000, which is not allowed anywhere'],
  [() => customFieldText.validate('\u0011a'), '"\\u0011a" holds U+0011, which is not allowed at the start'],
  [
    () => openText(webhookStatus).validate('Paused'),
    '"Paused" is not one of Active, Suspended; did you mean Suspended?',
  ],
  [() => readLeniently(openText(webhookStatus), 3), '3 is not one of Active, Suspended'],
  [() => events.schema.fromWire('TaskCreated'), '"TaskCreated" is not a list in square brackets'],
  [
    () => events.schema.fromWire('[]'),
    '[] is an empty list; nothing would be delivered: omit it for every event',
  ],
  [() => parameterisedEvents.schema.fromWire('[1]'), 'entry 1: 1 is not an object (parameterised event)'],
  [
    () => parameterisedEvents.schema.fromWire('[{"event":"TaskDeleted","recurrent":true}]'),
    'entry 1: "recurrent" is not a filter of TaskDeleted, which takes none',
  ],
  [
    () => parameterisedEvents.schema.fromWire('[{"event":"FolderCreated","fields":["status"]}]'),
    'entry 1: "status" is not a field that FolderCreated can carry: title, customFields, customItemTypeId, project',
  ],
  [
    () => validatePayload('TaskDeleted', { title: 'a' }),
    '"title" is not a payload field of TaskDeleted, which has none',
  ],
  [
    () => validatePayload('TaskCustomFieldChanged', { value: 'a' }),
    'value: "a" is not JSON; a JSON string needs double quotes',
  ],
];

for (const [run, message] of rows) {
  test(message, () => {
    assert.throws(run, (error) => {
      assert.ok(error instanceof ValidationError, String(error));
      assert.equal(error.message, message);
      return true;
    });
  });
}

test('accepted values, and how they are read', () => {
  assert.equal(hours.fromWire('999.5'), 999.5);
  assert.equal(hours.fromWire('-0'), -0);
  assert.deepEqual(scopeList.fromWire('Default, wsReadOnly'), ['Default', 'wsReadOnly']);
  assert.equal(readLeniently(openText(webhookStatus), 'Paused'), 'Paused');
  // An empty value of a custom field is no value, and no JSON either.
  assert.doesNotThrow(() => validatePayload('TaskCustomFieldChanged', { value: '', oldValue: null }));
  assert.deepEqual(parseBracketedList(' [a, "b c" ,d] '), ['a', 'b c', 'd']);
  assert.deepEqual(parseBracketedList('[ ]'), []);
  assert.deepEqual(parseBracketedList('[,]'), ['', '']);
  assert.equal(parseBracketedList('[a'), undefined);
});

test('null on the wire, and the rules printed in help', () => {
  assert.equal(nullable(hours).toWire(null), 'null');
  assert.equal(nullable(hours).toWire(7), '7');
  assert.equal(ruleOf(nullable(hours)), 'in the range [0, 1000)');
  assert.equal(ruleOf(seconds), '0 or more seconds');
  assert.equal(ruleOf(numbers), 'at most 2 values');
  assert.equal(ruleOf(list(hours)), undefined);
});

test('quotes up to 80 characters including quotes; shortens a longer value and gives its length', () => {
  assert.equal(formatValue('x'.repeat(78)), `"${'x'.repeat(78)}"`);
  assert.equal(formatValue('xy '.repeat(27)), `"${'xy '.repeat(23)}... (81 characters)`);
  // Of a word at the cut, which may be a secret, only the beginning.
  assert.equal(formatValue(`http://a/${'s'.repeat(80)}`), '"http://a/sssssss... (89 characters)');
});

test('an error unrelated to the value keeps its type', () => {
  const broken = new TypeError('broken');
  const schema = {
    ...text('text'),
    validate: () => {
      throw broken;
    },
  };
  assert.throws(
    () => object('record', { a: list(schema) }).validate({ a: ['x'] }),
    (error) => error === broken,
  );
});

test('text that is not an IP address is not global, nor is a link-local address', () => {
  for (const host of ['example.com', '', 'fe80::1%eth0', '2001:4860:4860::8888%1'])
    assert.equal(isGlobalAddress(host), false, host);
  for (const host of ['8.8.8.8', '2001:4860:4860::8888']) assert.equal(isGlobalAddress(host), true, host);
});
