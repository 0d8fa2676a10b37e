// A pager on a real terminal that fails late, or is ended by Ctrl-C or SIGTERM; and none in a pipe.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startPagedService, tasksFrom } from '../command/task/list/paged-service.ts';
import { type Stage, setStage } from '../transcript/stage.ts';
import { key, openTerminal, type Setting, skip } from './terminal.ts';

const commands = {
  // Reads all of it before it shows it.
  whole: `text=$(cat)
printf 'PAGER %s %s\\n%s\\nkey? ' "$LESS" "$LV" "$text"
read -r key < /dev/tty
echo "bye $key"`,
  // Shows the first line, and the rest after a key; with q it closes its input.
  lines: `read -r line
printf 'first %s\\nkey? ' "$line"
read -r key < /dev/tty
if [ "$key" = q ]; then exec 0<&-; echo quit; exit; fi
cat
echo "bye $key"`,
  // Changes the terminal, as a real one does, and gives it back. Its reads end after a tenth of a second, since a signal
  // that reaches dash shortly before a read waits for that read's end.
  raw: `saved=$(stty -g < /dev/tty)
ended() { stty "$saved" < /dev/tty; echo "restored by $1"; exit "$2"; }
trap 'ended INT 130' INT
trap 'ended TERM 15' TERM
stty -icanon -echo min 0 time 1 < /dev/tty
cat
echo 'key?'
while :; do read -r key < /dev/tty; done`,
  deaf: `trap '' INT
cat
printf 'key? '
read -r key < /dev/tty
echo "bye $key"`,
  broken: 'exit 3',
  late: 'cat > /dev/null; exit 3',
};

const lastEvent = 'ImportFromFileCompleted';
/** Ctrl-C is for the line's program alone, and not for the shell that runs the line. */
const trapped = 'trap : INT; ';

async function stageWithPagers(context: TestContext): Promise<Stage> {
  return setStage(context, { commands });
}

function open(context: TestContext, stage: Stage, line: string, environment: Setting['environment'] = {}) {
  return openTerminal(context, stage, line, { environment: { NO_COLOR: '1', ...environment } });
}

for (const [how, line] of [
  ['a pipe', 'wm webhook events | cat'],
  ['input from elsewhere', 'wm webhook events < /dev/null'],
] as const) {
  test(`${how}: no pager`, { skip }, async (context) => {
    const stage = await stageWithPagers(context);
    const terminal = open(context, stage, line, { PAGER: 'whole' });
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(!terminal.text.includes('PAGER'), terminal.text);
    assert.ok(terminal.text.includes(lastEvent), terminal.text);
  });
}

test('a pager that fails after it has read much: a warning, and nothing twice', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const service = await startPagedService(context, (index) =>
    index < 2 ? { tasks: tasksFrom(1 + index * 12_000, 12_000) } : undefined,
  );
  const terminal = open(context, stage, 'wm task list', { ...service.environment, PAGER: 'late' });
  await terminal.shows('The pager "late" failed with status 3.');
  assert.equal(await terminal.ended, 0);
  assert.ok(!terminal.text.includes('Task'), terminal.text.slice(0, 500));
});

/** Says afterwards, as the terminal itself has it, whether lines and echo are on again. */
const thenState = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

test('a pager that ends at Ctrl-C ends wm, after itself', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const terminal = open(context, stage, `${trapped}wm webhook events${thenState}`, { PAGER: 'raw' });
  await terminal.shows('key?\n');
  terminal.type(key.interrupt);
  await terminal.shows(/restored by INT\nwm: Interrupted\n {2}nothing was changed\nicanon\necho\n$/);
  assert.equal(await terminal.ended, 130);
});

test('SIGTERM for wm ends the pager first', { skip }, async (context) => {
  const stage = await stageWithPagers(context);
  const line = `sh -c 'echo $$ > pid; exec wm webhook events'${thenState}`;
  const terminal = open(context, stage, line, { PAGER: 'raw' });
  await terminal.shows('key?\n');
  process.kill(Number(await readFile(join(stage.folder, 'pid'), 'utf8')), 'SIGTERM');
  await terminal.shows('restored by TERM\nwm: Ended by SIGTERM\n');
  await terminal.shows(/icanon\necho\n$/);
  assert.equal(await terminal.ended, 143);
});
