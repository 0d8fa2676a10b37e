// Pagers that are scripts, since not every system has `less`, and a terminal on which `wm` finds them.

import type { TestContext } from 'node:test';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, type Setting } from '#test/support/terminal/terminal.ts';

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
  interrupted: 'cat; kill -INT $$',
  broken: 'exit 3',
  // Shows nothing on the terminal: for `wm` in the process of the test.
  filed: '{ printf "PAGER %s %s\\n" "$LESS" "$LV"; cat; } > "$HOME/paged"',
  late: 'cat > /dev/null; exit 3',
};

export const lastEvent = 'ImportFromFileCompleted';
/** Ctrl-C is for the line's program alone, and not for the shell that runs the line. */
export const trapped = 'trap : INT; ';

export async function stageWithPagers(context: TestContext): Promise<Stage> {
  return setStage(context, { commands });
}

export function openWithPager(
  context: TestContext,
  stage: Stage,
  line: string,
  environment: Setting['environment'] = {},
) {
  return openTerminal(context, stage, line, { environment: { NO_COLOR: '1', ...environment } });
}
