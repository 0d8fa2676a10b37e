// docs/reference/ and the man pages are what the definitions of the commands say now, and whatever a help text holds, the
// pages show it and nothing else.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { describeProgram } from '#app/reference/describe-program.ts';
import { formatManPages } from '../../scripts/reference/format-man.mjs';
import { formatReference } from '../../scripts/reference/format-markdown.mjs';

const program = await describeProgram();
const reference = formatReference(program);
const manPages = formatManPages(program);

test('docs/reference/ is current; otherwise: npm run reference', async () => {
  if (process.env['WRITE_FILES']) {
    await rm('docs/reference', { recursive: true, force: true });
    await mkdir('docs/reference');
    for (const [name, text] of reference) await writeFile(`docs/reference/${name}`, text);
  }
  const files = (await readdir('docs/reference')).toSorted();
  const written = await Promise.all(
    files.map(async (name) => [name, await readFile(`docs/reference/${name}`, 'utf8')] as const),
  );
  const stale = [...reference]
    .filter(([name, text]) => written.find(([file]) => file === name)?.[1] !== text)
    .map(([name]) => name);
  assert.deepEqual(stale, [], 'Run: npm run reference');
  assert.deepEqual(files, [...reference.keys()].toSorted(), 'Run: npm run reference');
});

test('every command has a section and a man page, and all links of the index work', () => {
  for (const { command } of program.commands) {
    const page = reference.get(`${command.split(' ')[1]}.md`) ?? '';
    assert.match(page, new RegExp(`^## ${command}$`, 'm'));
    assert.ok(manPages.has(`${command.replaceAll(' ', '-')}.1`), command);
  }
  const links = [...(reference.get('README.md') ?? '').matchAll(/\]\(([^)#]*)#([^)]*)\)/g)];
  assert.ok(links.length > program.commands.length);
  for (const [, file = '', anchor = ''] of links) {
    const headings = [...(reference.get(file) ?? '').matchAll(/^#+ (.*)$/gm)];
    const anchors = headings.map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'));
    assert.ok(anchors.includes(anchor), `${file}#${anchor}`);
  }
});

test('all rows of a table have the same number of cells', () => {
  for (const [name, text] of reference)
    for (const table of text.match(/(?:^\|.*\n)+/gm) ?? []) {
      const cells = table
        .trim()
        .split('\n')
        .map((line: string) => line.match(/(?<!\\)\|/g)?.length);
      assert.equal(new Set(cells).size, 1, `${name}:\n${table}`);
    }
});

const hostile = `.br 'a' "b" \`c|d\` \\fBe *f* _g_ <h> [i](j) ~k^ – ${'\n'}'l`;

/** A program whose every text is hostile. */
type ProgramDescription = typeof program;

function hostileProgram(): ProgramDescription {
  const [first] = program.commands;
  assert.ok(first);
  const command: ProgramDescription['commands'][number] = {
    ...first,
    summary: hostile,
    details: `${hostile}\n\n.TH again`,
    arguments: [{ name: 'ID', help: hostile, required: true }],
    flags: [{ flag: '--x', usage: "--x A|'B'", help: hostile, type: 'text', choices: ['a|b', '.c'] }],
    examples: [{ description: hostile, command: `.wm 'a' \\ "b"` }],
    topics: [
      {
        name: 'topic',
        summary: hostile,
        parts: [{ title: hostile, text: hostile, rows: [[`.term | \`x\``, hostile]] }],
        examples: [{ description: hostile, command: hostile }],
      },
    ],
  };
  return { ...program, commands: [command] };
}

/** The requests that the pages are made of. */
const requests = /^\.(?:\\"|TH|SH|SS|TP|PP|RS|RE|nf|fi)(?: |$)/;

test('no text becomes a roff request or an escape', () => {
  const pages = formatManPages(hostileProgram());
  for (const text of [...pages.values(), ...manPages.values()])
    for (const line of text.trimEnd().split('\n')) {
      if (/^[.']/.test(line)) assert.match(line, requests);
      // Those that the pages are made of: a character, a font, and nothing.
      assert.doesNotMatch(
        line.replace(/^\.\\"/, ''),
        /\\(?!e|-|&|f[BIR]|\((?:aq|dq|ga|ha|ti)|\[u[0-9A-F]{4,}\])/,
      );
    }
  const page = pages.get('wm-login.1') ?? '';
  assert.ok(page.includes('\n\\&.wm \\(aqa\\(aq \\e \\(dqb\\(dq\n'), page);
  assert.ok(page.includes('\\[u2013] \\(aql'), page);
});

test('no text becomes Markdown, except code between backticks', () => {
  const page = formatReference(hostileProgram()).get('login.md') ?? '';
  assert.ok(page.includes(".br 'a' \"b\" `c|d` \\\\fBe \\*f\\* \\_g\\_ \\<h\\> \\[i\\](j) ~k^ – 'l"), page);
  assert.ok(page.includes("| `--x A\\|'B'` |"), page);
  assert.ok(page.includes('`` .term \\| `x` ``'), page);
});
