// An id as shells, spreadsheets and JSON hand it over, with spaces and quotes around it, is that id. Other values, and what else a shell
// does to them: test/transcript/pasted-values.txt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const { task: first, backlog: second } = sample;
const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const dry = (status: number, ...argv: string[]) => run([...argv, '--dry-run'], { exit: status, environment });
const around = [' #', '# ', '#\u00a0', '"#"', "'#", "'#'", ' "#"\t', '"""#"""'];

for (const marks of around)
  test(`an id in ${JSON.stringify(marks)} is that id`, async (context) => {
    const id = marks.replace('#', first);
    for (const argv of [
      ['task', 'get', id],
      ['task', 'update', id, '--title', 'x'],
      ['task', 'update', id, second, '--title', 'x'],
      ['task', 'update', second, '--priority-after', id],
      ['webhook', 'get', id],
      ['task', 'list', '--folder', id],
    ]) {
      const ran = await dry(0, ...argv);
      assert.match(
        decodeURIComponent(ran.output),
        new RegExp(`[/="]${first}(?![^?/&",\\s])`),
        argv.join(' '),
      );
    }
    const { wm, task } = await emulated(context);
    for (const [input, title] of [
      [`id,title\n"${id.replaceAll('"', '""')}",csv\n`, 'csv'],
      [`${JSON.stringify({ id, title: 'json' })}\n`, 'json'],
    ] as const) {
      const ran = await wm(['task', 'update', '--from', '-', '--yes'], { exit: 0, input });
      assert.match(ran.output, new RegExp(`\t${first}\tupdated`));
      assert.equal((await task(first)).title, title);
    }
  });
