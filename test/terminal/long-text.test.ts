// Texts of the service that are as long as they may be, on a terminal: measured in pieces, and cut where no pager shows them.
// What is counted is the work of the segmenter, which takes the square of the length above 65,535 characters.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { displayWidth, graphemes } from '#terminal/width.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hookId, hooks, taskId } from '#test/support/service/scripted-service.ts';

/** Counts the characters of each text that is segmented while the test runs. */
function countSegmented(context: TestContext): { readonly lengths: number[] } {
  const { prototype } = Intl.Segmenter;
  const { segment } = prototype;
  const lengths: number[] = [];
  prototype.segment = function (text) {
    lengths.push(text.length);
    return segment.call(this, text);
  };
  context.after(() => {
    prototype.segment = segment;
  });
  return { lengths };
}

async function askOn(
  { isTerminal = true, columns = 80 }: { readonly isTerminal?: boolean; readonly columns?: number },
  argv: readonly string[],
  body: object,
): Promise<readonly string[]> {
  const { streams, texts } = collectStreams({ isTerminal, columns });
  const line = [...argv, '--no-color', '--quiet', '--no-pager'];
  const { status } = await ask(line, [jsonReply(200, body)], { world: { streams } });
  assert.deepEqual([status, texts.errors], [0, '']);
  return texts.output.trimEnd().split('\n');
}

const task = (more: object) => ({ kind: 'tasks', data: [{ id: taskId, title: 'x', ...more }] });
const getTask = ['task', 'get', taskId];

const texts: readonly (readonly [name: string, text: string, most: number])[] = [
  ['one letter with an accent', `é${'word '.repeat(2400)}`, 4096],
  ['one word', `é${'a'.repeat(12_000)}`, 4096],
  ['wide characters', '漢'.repeat(12_000), 4096],
  ['emoji of several characters', '👩‍👩‍👧‍👦'.repeat(1200), 4096],
  ['flags', '🇨🇭'.repeat(3000), 4096],
  ['a letter with 40,000 marks', `a${'\u0301'.repeat(40_000)}`, 32_768],
];

for (const [name, text, most] of texts) {
  test(`12,000 characters, ${name}: measured in chunks`, async (context) => {
    const { lengths } = countSegmented(context);
    for (const [argv, body] of [
      [getTask, task({ description: text })],
      [getTask, task({ title: text })],
      [['webhook', 'list'], hooks({ ...hook, hookUrl: `https://example.com/${text}` }, hook)],
    ] as const) {
      lengths.length = 0;
      await askOn({}, argv, body);
      const longest = lengths.reduce((longest, length) => Math.max(longest, length), 0);
      assert.ok(longest <= most, `a piece of ${longest} characters`);
      const sum = lengths.reduce((total, length) => total + length, 0);
      assert.ok(sum <= 40 * text.length, `${sum} characters segmented, of ${text.length}`);
    }
  });
}

test('measures the first 65,536 of a million characters that need the segmenter', async (context) => {
  const { lengths } = countSegmented(context);
  const description = '👩‍👩‍👧‍👦'.repeat(90_000);
  const lines = await askOn({}, getTask, task({ description }));
  assert.match(lines.at(-1) ?? '', /^ *\.\.\. more lines: --json shows all$/);
  const arabic = await askOn({}, getTask, task({ description: 'سلام '.repeat(20_000) }));
  assert.match(arabic.at(-1) ?? '', /^ *\.\.\. over \d+ more lines: --json shows all$/);
  assert.ok(lengths.reduce((total, length) => total + length, 0) <= 40 * 65_536);
});

test('shows at most 200 lines of a field, and the number of the rest', async () => {
  const lineOf = 'a'.repeat(60);
  const linesFor = (count: number) => Array.from({ length: count }, () => lineOf).join(' ');
  const shown = async (count: number) => {
    const lines = await askOn({}, getTask, task({ description: linesFor(count) }));
    return [lines.filter((line) => line.includes(lineOf)).length, lines.at(-1)?.trim()] as const;
  };
  assert.deepEqual((await shown(200))[0], 200);
  assert.doesNotMatch((await shown(200))[1] ?? '', /more line/);
  assert.deepEqual(await shown(201), [200, '... 1 more line: --json shows all']);
  assert.deepEqual(await shown(1012), [200, '... 812 more lines: --json shows all']);
  // A narrow terminal wraps the note like the rest.
  const narrow = await askOn({ columns: 20 }, getTask, task({ description: linesFor(300) }));
  assert.ok(
    narrow.every((line) => line.length <= 20),
    narrow.slice(-5).join('\n'),
  );
  assert.match(narrow.join(' ').replace(/\s+/g, ' '), /\.\.\. \d+ more lines: --json shows all$/);
});

test('a pipe and --json get the whole text', async () => {
  const description = `é${'word '.repeat(4000)}end`;
  const [json = ''] = [(await askOn({}, [...getTask, '--json'], task({ description }))).join('\n')];
  assert.equal(JSON.parse(json).description, description);
  const piped = await askOn(
    { isTerminal: false },
    ['webhook', 'list'],
    hooks({ ...hook, hookUrl: description }),
  );
  assert.ok(piped.join('\n').includes(description));
});

test('cuts a long table cell too', async () => {
  const title = 'abcdefghi '.repeat(5000).trim();
  const rows = Array.from({ length: 20 }, (_, at) => ({
    ...hook,
    id: hookId,
    hookUrl: at === 0 ? title : 'x',
  }));
  const table = (await askOn({}, ['webhook', 'list', '--long'], hooks(...rows))).join('\n');
  assert.match(table.replace(/\s+/g, ' '), /\.\.\. \d+ more lines: --json shows all/);
  assert.ok(table.split('\n').length < 300);
});

test('a simple character has the same width alone and beside one that needs the segmenter', () => {
  const ranges: readonly (readonly [number, number])[] = [
    [0x20, 0x7e],
    [0xc0, 0x2ff],
    [0x391, 0x52f],
    [0x2010, 0x2027],
    [0x3001, 0x3029],
    [0x3041, 0x30fa],
    [0x3400, 0x9fff],
    [0xac00, 0xd7a3],
    [0xff01, 0xff60],
  ];
  for (const [from, to] of ranges) {
    for (let code = from; code <= to; code += code < 0x3400 ? 1 : 397) {
      const character = String.fromCharCode(code);
      // A mark may join the letter before it.
      if (/\p{M}/u.test(character)) continue;
      assert.equal(displayWidth(character), displayWidth(`${character}😀`) - 2, code.toString(16));
      assert.deepEqual(
        graphemes(`a${character}b`),
        graphemes(`a${character}b😀`).slice(0, -1),
        code.toString(16),
      );
    }
  }
});

test('chunks end at grapheme boundaries', () => {
  for (const character of ['👩‍👩‍👧‍👦', '🇨🇭', 'e\u0301', '각', 'क्षि', '\u0600a'])
    for (const before of [0, 1, 2, 3]) {
      const text = 'x'.repeat(before) + character.repeat(1500);
      const once = graphemes(character);
      assert.deepEqual(graphemes(text).slice(before), Array.from({ length: 1500 }, () => once).flat());
      assert.equal(displayWidth(text), before + 1500 * displayWidth(character));
    }
});
