// Declares a row of the command table to commander, and lays out help. Commander sees one command without subcommands, since parser.ts
// has found it; values come from `typed` and `processedArgs`, not from `opts()`. The only file that imports commander.

import * as commander from 'commander';
import { type Arguments, type Command, type Examples, needsDoubleDash } from '#cli/command.ts';
import { everywhereFlags, sharedFlags } from '#cli/flags/common-flags.ts';
import { type Flag, type Flags, type FlagTexts, toKebabCase } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';

export type Declared = commander.Command;

/** The word after `--help` that asks for everything. */
export const everything = 'all';
const own = 'Flags:';
const common = 'Common flags:';

/** The flags of a command, its own first, which may redefine shared ones; of a group and of the program, the flags of every command. */
export function flagsOf(command: Command | undefined): Flags {
  return command ? { ...command.flags, ...sharedFlags(command), ...command.flags } : everywhereFlags;
}

/** `command`: undefined for a group, and for the program. `names`: the flags to declare, since commander compares each with all others. */
export function declare(
  { words = '', alias, summary = '' }: Readonly<Partial<Record<'words' | 'alias' | 'summary', string>>>,
  command: Command | undefined,
  names?: readonly string[],
  typed = new Map<string, FlagTexts>(),
): Declared {
  const declared = declareName(`wm ${words}`.trimEnd(), summary, alias)
    .usage(command ? formatUsage(command.arguments) : 'COMMAND [arguments] [flags]')
    .exitOverride()
    // wm prints, not commander.
    .configureOutput({
      writeOut: () => {},
      writeErr: () => {},
      getOutHelpWidth: () => 0,
      getOutHasColors: () => false,
    })
    // The page is loaded and printed afterwards: see command-help.ts.
    .configureHelp({ formatHelp: () => '' })
    .helpCommand(false)
    .addHelpOption(new commander.Option('-h, --help', 'Show help').helpGroup(command ? common : own))
    // parser.ts prints the version.
    .version('', '-V, --version')
    .passThroughOptions(command !== undefined && needsDoubleDash(command.arguments));
  for (const [name, row] of Object.entries(command?.arguments ?? {}))
    declared.argument(row.optional ? labelOf(name, row) : `<${labelOf(name, row)}>`, row.help);
  for (const [name, flag] of Object.entries(flagsOf(command))) {
    if (names?.includes(name) === false) continue;
    const group = command && name in command.flags ? own : common;
    for (const option of declareForms(name, flag, typed)) declared.addOption(option.helpGroup(group));
  }
  return declared;
}

export function declareName(name: string, summary: string, alias?: string): Declared {
  const declared = new commander.Command(name).description(summary);
  return alias === undefined ? declared : declared.alias(alias);
}

function declareForms(name: string, flag: Flag<unknown>, typed: Map<string, FlagTexts>) {
  const { long, opposite, short, alias } = formsOf(name, flag);
  const { placeholder, help } = flag;
  const collect = (text: string) => {
    const before = typed.get(name);
    typed.set(name, before ? [...before, text] : [text]);
    return text;
  };
  const create = (form: string, value: string, shown = form) => {
    // For a flag without a value, commander gives the preset to the parser.
    const option = new commander.Option(placeholder === undefined ? form : `${form} <value>`, help)
      .argParser(collect)
      .preset(value);
    // Help and errors show these; commander has read the form.
    return Object.assign(option, { flags: shown });
  };
  return [
    create(short ? `${short}, ${long}` : long, String(flag.negatable !== 'only'), formatFlag(name, flag)),
    ...(opposite ? [create(opposite, 'false').hideHelp()] : []),
    ...(alias ? [create(alias, 'true', `${alias} ${placeholder}`).hideHelp()] : []),
  ];
}

/** The arguments after the words of a command: `ID... [flags]` */
export function formatUsage(rows: Arguments): string {
  const labels = Object.entries(rows).map(([name, row]) => labelOf(name, row));
  return (needsDoubleDash(rows) ? ['[flags]', '--', ...labels] : [...labels, '[flags]']).join(' ');
}

function labelOf(name: string, { many, optional }: Arguments[string]): string {
  const label = `${toKebabCase(name).toUpperCase()}${many ? '...' : ''}`;
  return optional ? `[${label}]` : label;
}

/** A flag's names and value, as in help: `--[no-]verify`. */
export function formatFlag(name: string, flag: Flag<unknown>): string {
  const { long, opposite, short } = formsOf(name, flag);
  const shownLong = opposite !== undefined && flag.negatable ? long.replace('--', '--[no-]') : long;
  return `${short ? `${short}, ` : ''}${shownLong}${flag.placeholder === undefined ? '' : ` ${flag.placeholder}`}`;
}

/** Undefined if the whole line was parsed. Otherwise why commander stopped, such as `commander.helpDisplayed`. */
export function runParser(declared: Declared, line: readonly string[]): commander.CommanderError | undefined {
  try {
    declared.parse(line, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof commander.CommanderError) return error;
    throw error;
  }
}

const minText = 30;
const hanging = 6;

/** Lays out help in two columns if both fit in the width, otherwise stacked. */
export class Layout extends commander.Help {
  readonly #width: number;

  constructor(width: number) {
    super();
    this.#width = this.helpWidth = width;
    this.minWidthToWrap = 0;
  }

  override visibleOptions(declared: Declared): commander.Option[] {
    return super.visibleOptions(declared).filter(({ long }) => long !== '--version');
  }

  override argumentDescription({ description }: commander.Argument): string {
    return description.charAt(0).toUpperCase() + description.slice(1);
  }

  override styleUsage(usage: string): string {
    return this.#hang(usage, 'Usage: '.length);
  }

  override formatItem(term: string, termWidth: number, text: string, helper: commander.Help): string {
    if (this.#width - termWidth - 4 >= minText) return super.formatItem(term, termWidth, text, helper);
    return `  ${this.#hang(term)}\n${' '.repeat(hanging)}${this.#hang(text)}`;
  }

  page(declared: Declared): string {
    return this.formatHelp(declared, this);
  }

  /** A term longer than `termWidth` has its text below it. By default the longest term sets the width. */
  items(rows: readonly (readonly [term: string, text: string])[], termWidth?: number): string {
    const width = termWidth ?? Math.max(0, ...rows.map(([term]) => term.length));
    return rows
      .map(([term, text]) => this.formatItem(term, term.length > width ? this.#width : width, text, this))
      .join('\n');
  }

  wrap(text: string): string {
    return this.boxWrap(text, this.#width);
  }

  /** Joins the source lines of each paragraph, and wraps it. */
  paragraphs(text: string): string {
    return this.wrap(text.replace(/(?<!\n)\n(?!\n)/g, ' '));
  }

  /** Each description as a comment above its command, which is not wrapped so that it can be copied. */
  examples(examples: Examples, most?: number): string {
    const texts = Object.entries(examples)
      .slice(0, most)
      .map(([description, line]) => {
        const comment = this.boxWrap(description, this.#width - 4).replaceAll('\n', '\n  # ');
        return `  # ${comment}\n  ${line.replaceAll('\n', '\n  ')}`;
      });
    return `Examples:\n${texts.join('\n\n')}\n`;
  }

  #hang(text: string, by = hanging): string {
    return this.boxWrap(text, this.#width - by).replaceAll('\n', `\n${' '.repeat(hanging)}`);
  }
}
