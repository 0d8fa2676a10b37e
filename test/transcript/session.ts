// Reads a transcript, a terminal session as text:
//
//     # what it shows                  a remark; the first lines are one
//     with: signed-out, curl           set-up, before the first command; curl: skipped where there is none; assumed: it
//                                      shows what is only assumed, and must fail with --bare; bare: never without it;
//                                      terminal, dumb: each command on a pseudo-terminal, or on one with TERM=dumb; 80x24: a small one
//     $ wm webhook get {{hook}}        a line for /bin/sh; one that ends with \ goes on in the next
//     > {{hook}}⇥Active                a line of standard output; ⇥ is a tab; `> ...` is any number of lines
//     ! Created at {{time}}.           a line of standard error
//     exit 5                           0 where it is not said
//
// What is not said must not appear. On a terminal there is one screen in place of the two outputs:
//
//     ~ ? Which webhook to suspend?    lines that are on the screen next, one below the other; the last ones end it
//     < billing⏎                       what is typed then: ⏎ is Enter, ⇥ Tab, ⎋ Esc, ␃ Ctrl-C
//
// Lines before what is typed end with the question that it answers: a question drops what was typed before it.

const setUps: readonly string[] = ['signed-out', 'curl', 'assumed', 'bare', 'terminal', '80x24', 'dumb'];

export interface Step {
  /** Of the command, in the file. */
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
  readonly errors: readonly string[];
  readonly exit: number;
  /** On a terminal. */
  readonly dialogue: readonly Turn[];
}

/** What the screen shows, and what is typed then; nothing at the end. */
export interface Turn {
  readonly shows: readonly string[];
  readonly keys: string | undefined;
}

export interface Session {
  readonly with: readonly string[];
  readonly steps: readonly Step[];
}

export function readSession(text: string): Session {
  const set: string[] = [];
  const steps: {
    line: number;
    command: string;
    output: string[];
    errors: string[];
    exit: number;
    dialogue: { shows: string[]; keys: string | undefined }[];
  }[] = [];
  let goesOn = false;
  for (const [index, line] of text.split('\n').entries()) {
    const step = steps.at(-1);
    if (goesOn && step) {
      step.command += `\n${line}`;
      goesOn = line.endsWith('\\');
    } else if (line.startsWith('$ ')) {
      steps.push({ line: index + 1, command: line.slice(2), output: [], errors: [], exit: 0, dialogue: [] });
      goesOn = line.endsWith('\\');
    } else if (/^[>!](?: |$)/.test(line) && step) {
      (line.startsWith('>') ? step.output : step.errors).push(line.slice(2).replaceAll('⇥', '\t'));
    } else if (/^~(?: |$)/.test(line) && step && isOnTerminal(set)) {
      const last = step.dialogue.at(-1);
      const turn = last && last.keys === undefined ? last : { shows: [], keys: undefined };
      if (turn !== last) step.dialogue.push(turn);
      turn.shows.push(line.slice(2));
    } else if (line.startsWith('< ') && step?.dialogue.at(-1)) {
      const last = step.dialogue.at(-1);
      if (last?.keys !== undefined) throw new Error(`line ${index + 1}: nothing is waited for before it`);
      if (last) last.keys = line.slice(2);
    } else if (/^exit \d+$/.test(line) && step) {
      step.exit = Number(line.slice(5));
    } else if (line.startsWith('with: ') && !step) {
      for (const one of line.slice(6).split(', ')) {
        if (!setUps.includes(one)) throw new Error(`line ${index + 1}: no set-up is called ${one}`);
        set.push(one);
      }
    } else if (line !== '' && !line.startsWith('# ')) {
      throw new Error(`line ${index + 1} of the transcript is none: ${line}`);
    }
  }
  return { with: set, steps };
}

export function isOnTerminal(set: readonly string[]): boolean {
  return set.includes('terminal') || set.includes('dumb');
}

/** What a command did, as a transcript would say it. */
export function writeStep(step: Omit<Step, 'line' | 'dialogue'>): string {
  const lines = (mark: string, all: readonly string[]) =>
    all.map((line) => `${mark} ${line.replaceAll('\t', '⇥')}`.trimEnd());
  const exit = step.exit === 0 ? [] : [`exit ${step.exit}`];
  return [`$ ${step.command}`, ...lines('>', step.output), ...lines('!', step.errors), ...exit].join('\n');
}
