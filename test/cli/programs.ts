// Programs for jq, each run through `wm webhook list --jq`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hookId, hooks } from '#test/support/service/scripted-service.ts';

export const found = jsonReply(200, hooks(hook, { ...hook, id: 'IEAAAAAQJAAAAAAC', hookUrl: 'a\n  b  ' }));
export const list = ['webhook', 'list', '--quiet'];

/** Programs of our own for each part of jq's language: what `webhook list` gives them, and the lines that they print. */
const programs: readonly (readonly [string, readonly string[]])[] = [
  ['length', ['2']],
  ['.[].id', [hookId, 'IEAAAAAQJAAAAAAC']],
  ['map(.status)', ['["Active","Active"]']],
  ['.[1].hookUrl', ['a', '  b  ']],
  ['"", "  ", ""', ['', '  ', '']],
  ['empty', []],
  ['.[0] | {id, n: (1 + 2 * 3)}', [`{"id":"${hookId}","n":7}`]],
  ['.[9].id, .[0].missing?, (.[0] | .id?)', ['null', 'null', hookId]],
  ['[.[] | select(.id | endswith("C"))] | length', ['1']],
  ['group_by(.status) | map([.[0].status, length])', ['[["Active",2]]']],
  ['sort_by(.id) | reverse | .[0].id', ['IEAAAAAQJAAAAAAC']],
  ['[limit(3; range(10))], [range(0; 10; 4)]', ['[0,1,2]', '[0,4,8]']],
  ['reduce range(5) as $n (0; . + $n)', ['10']],
  ['[foreach range(4) as $n (0; . + $n)]', ['[0,1,3,6]']],
  ['def twice(f): f | f; 3 | twice(. * .)', ['81']],
  ['. as [$first] | $first.id', [hookId]],
  ['if length > 1 then "many" elif length == 1 then "one" else "none" end', ['many']],
  ['try error("x") catch "caught \\(.)"', ['caught x']],
  ['.[0].id | test("^IEA+Q"), [match("A+"; "g").length]', ['true', '[5,6]']],
  ['[.[0].id | splits("Q")] | join("-")', ['IEAAAAA-JAAAAAAB']],
  ['[1, [2]] | @csv?, @json, tojson, (.[1] | @tsv)', ['[1,[2]]', '[1,[2]]', '2']],
  ['"a b" | @uri, @base64, @sh, @html', ['a%20b', 'YSBi', "'a b'", 'a b']],
  ['([paths] | length > 4), (.[0] | to_entries | map(.key) | first)', ['true', 'id']],
  ['0 | todate, ("2026-01-02T03:04:05Z" | fromdate)', ['1970-01-01T00:00:00Z', '1767323045']],
  ['100000000000000000000001', ['100000000000000000000001']],
  ['[.[] | del(.hookUrl)] | .[0] | has("hookUrl")', ['false']],
  ['label $out | 1, break $out, 2', ['1']],
  ['1, halt, 2', ['1']],
  ['-1', ['-1']],
  ['[1] | - .[0] # a comment', ['-1']],
];

/** The quick suite's programs. */
const quick: readonly string[] = [
  'length',
  '.[1].hookUrl',
  'empty',
  '[.[0].id | splits("Q")] | join("-")',
  '1, halt, 2',
  '-1',
];

export function testPrograms(suite: 'quick' | 'deep'): void {
  for (const [program, expected] of programs.filter(
    ([program]) => quick.includes(program) === (suite === 'quick'),
  )) {
    test(`--jq '${program}'`, async () => {
      const { status, output, errors } = await ask([...list, `--jq=${program}`], [found]);
      assert.deepEqual([status, errors], [0, '']);
      assert.equal(output, expected.map((line) => `${line}\n`).join(''));
    });
  }
}
