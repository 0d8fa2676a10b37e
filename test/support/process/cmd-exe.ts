// How Windows takes a command line apart, written down from its documentation and from what is known of cmd.exe, for
// tests on systems without it. Shares nothing with src/world/windows-command.ts.

/** What cmd.exe would do beside running the one command. */
export class AnotherCommand extends Error {}

/**
 * The arguments that a program written in C gets, the program's own name first.
 * @see "Parsing C command-line arguments" in the manual of Microsoft's C runtime
 */
export function argumentsOf(commandLine: string): string[] {
  const all: string[] = [];
  let at = 0;
  // The first is read by simpler rules: a backslash means nothing.
  let name = '';
  for (let quoted = false; at < commandLine.length; at++) {
    const character = commandLine[at] ?? '';
    if (character === '"') quoted = !quoted;
    else if (!quoted && isBlank(character)) break;
    else name += character;
  }
  all.push(name);
  for (;;) {
    while (isBlank(commandLine[at])) at++;
    if (at >= commandLine.length) return all;
    let argument = '';
    let quoted = false;
    while (at < commandLine.length) {
      let slashes = 0;
      while (commandLine[at] === '\\') {
        slashes++;
        at++;
      }
      const character = commandLine[at];
      if (character === '"') {
        argument += '\\'.repeat(Math.floor(slashes / 2));
        at++;
        if (slashes % 2 === 1) argument += '"';
        else if (quoted && commandLine[at] === '"') {
          // Two in a row within quotes are one that is meant.
          argument += '"';
          at++;
        } else quoted = !quoted;
        continue;
      }
      argument += '\\'.repeat(slashes);
      if (character === undefined || (!quoted && isBlank(character))) break;
      argument += character;
      at++;
    }
    all.push(argument);
  }
}

const isBlank = (character: string | undefined) => character === ' ' || character === '\t';

export interface Shell {
  /** Names in upper case. */
  readonly variables: Readonly<Record<string, string>>;
  readonly currentFolder: string;
}

/**
 * The arguments that a program gets from `cmd.exe /e:on /v:off /d /s /c "..."`, which runs a batch file whose one line is
 * `@"program" %*`. Throws {@link AnotherCommand} where a part of an argument would be run, or lead to a file.
 */
export function throughBatchFile(
  options: readonly string[],
  shell: Shell,
): { script: string; rest: string[] } {
  const [last = '', ...before] = options.toReversed();
  if (before.toReversed().join(' ').toLowerCase() !== '/e:on /v:off /d /s /c')
    throw new Error(`not the options of this model: ${options}`);
  if (!last.startsWith('"') || !last.endsWith('"'))
    throw new Error('/s removes the first and the last quote');
  const line = oneCommand(withVariables(last.slice(1, -1), shell));
  // The name of the command ends at the first blank outside of quotes.
  const end = /^(?:"[^"]*"|[^\s"])+/.exec(line)?.[0].length ?? 0;
  const script = line.slice(0, end).replaceAll('"', '');
  // In the batch file `%*` is put in as it stands, and is not searched for variables again.
  const again = oneCommand(`"program"${line.slice(end)}`);
  return { script, rest: argumentsOf(again).slice(1) };
}

/** The first phase, for what is typed rather than read from a file: `%NAME%`, `%NAME:~from,length%`, `%NAME:old=new%`. */
function withVariables(line: string, { variables, currentFolder }: Shell): string {
  let result = '';
  for (let index = 0; index < line.length; ) {
    const end = line[index] === '%' ? line.indexOf('%', index + 1) : -1;
    const [name = '', ...operation] = end === -1 ? [] : line.slice(index + 1, end).split(':');
    const value = name.toUpperCase() === 'CD' ? currentFolder : variables[name.toUpperCase()];
    if (name === '' || value === undefined) {
      // What is no variable stays, and the second percent sign may begin another.
      result += line[index] ?? '';
      index++;
      continue;
    }
    result += operated(value, operation.join(':'));
    index = end + 1;
  }
  return result;
}

function operated(value: string, operation: string): string {
  if (operation === '') return value;
  if (operation.startsWith('~')) {
    // Numbers as C's strtol reads them: nothing is 0 where there is a comma.
    const [from = '', length] = operation.slice(1).split(',');
    const number = (text: string) => Number.parseInt(text, 10) || 0;
    const rest = value.slice(number(from));
    if (length === undefined) return rest;
    return number(length) < 0 ? rest.slice(0, number(length)) : rest.slice(0, number(length));
  }
  const [old = '', ...replacement] = operation.split('=');
  return old === '' ? value : value.replaceAll(old, () => replacement.join('='));
}

/** The second phase: quotes, carets, and what ends a command. */
function oneCommand(line: string): string {
  let result = '';
  let quoted = false;
  for (let index = 0; index < line.length; index++) {
    const character = line[index] ?? '';
    if (character === '\n' || character === '\r') throw new AnotherCommand(`a line break in ${line}`);
    if (character === '"') quoted = !quoted;
    if (!quoted && character === '^') {
      index++;
      result += line[index] ?? '';
      continue;
    }
    if (!quoted && '&|<>()'.includes(character)) throw new AnotherCommand(`${character} in ${line}`);
    result += character;
  }
  return result;
}
