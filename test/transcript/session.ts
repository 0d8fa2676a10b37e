// Reads a transcript, a terminal session as text:
//
//     # what it shows                  a remark; the first lines are one
//     with: signed-out, curl           set-up, before the first command; curl: skipped where there is none; assumed: it
//                                      shows what is only assumed, and is not played with --bare; bare: never without
//     $ wm webhook get {{hook}}        a line for /bin/sh; one that ends with \ goes on in the next
//     > {{hook}}⇥Active                a line of standard output; ⇥ is a tab; `> ...` is any number of lines
//     ! Created at {{time}}.           a line of standard error
//     exit 5                           0 where it is not said
//
// What is not said must not appear.

const setUps: readonly string[] = ['signed-out', 'curl', 'assumed', 'bare'];

export interface Step {
  /** Of the command, in the file. */
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
  readonly errors: readonly string[];
  readonly exit: number;
}

export interface Session {
  readonly with: readonly string[];
  readonly steps: readonly Step[];
}

export function readSession(text: string): Session {
  const set: string[] = [];
  const steps: { line: number; command: string; output: string[]; errors: string[]; exit: number }[] = [];
  let goesOn = false;
  for (const [index, line] of text.split('\n').entries()) {
    const step = steps.at(-1);
    if (goesOn && step) {
      step.command += `\n${line}`;
      goesOn = line.endsWith('\\');
    } else if (line.startsWith('$ ')) {
      steps.push({ line: index + 1, command: line.slice(2), output: [], errors: [], exit: 0 });
      goesOn = line.endsWith('\\');
    } else if (/^[>!](?: |$)/.test(line) && step) {
      (line.startsWith('>') ? step.output : step.errors).push(line.slice(2).replaceAll('⇥', '\t'));
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

/** What a command did, as a transcript would say it. */
export function writeStep(step: Omit<Step, 'line'>): string {
  const lines = (mark: string, all: readonly string[]) =>
    all.map((line) => `${mark} ${line.replaceAll('\t', '⇥')}`.trimEnd());
  const exit = step.exit === 0 ? [] : [`exit ${step.exit}`];
  return [`$ ${step.command}`, ...lines('>', step.output), ...lines('!', step.errors), ...exit].join('\n');
}
