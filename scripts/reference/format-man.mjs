// The man pages, in roff: `wm`, one for each group and one for each command.
// @see groff_man(7), groff_char(7)

import { changesText, commonFlagsOf, describeValues } from './describe-values.mjs';

/** Returns file names with their texts. */
export function formatManPages(program) {
  const pages = [
    ['wm', formatProgram(program)],
    ...program.groups.map((group) => [`wm-${group.word}`, formatGroup(program, group)]),
    ...program.commands.map((command) => [pageName(command.command), formatCommand(program, command)]),
  ];
  return new Map(pages.map(([name, text]) => [`${name}.1`, text]));
}

const pageName = (words) => words.replaceAll(' ', '-');

function formatProgram(program) {
  return page(program, 'wm', program.summary, [
    heading('SYNOPSIS'),
    '\\fBwm\\fR \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIflags\\fR]',
    heading('COMMANDS'),
    ...formatCommands(program.commands),
    heading('OPTIONS'),
    'Every command takes these:',
    ...formatFlags(program.commonFlags),
    '.PP',
    'Commands that send requests to the service also take these:',
    ...formatFlags(program.requestFlags),
    heading('ENVIRONMENT'),
    ...program.environment.flatMap(({ name, meaning }) => item(`\\fB${escapeRoff(name)}\\fR`, meaning)),
    '.PP',
    line(`Also: ${program.otherVariables.join(', ')}.`),
    ...formatExitStatuses(program),
  ]);
}

function formatGroup(program, { word, summary }) {
  const commands = program.commands.filter(({ command }) => command.startsWith(`wm ${word} `));
  return page(program, `wm-${word}`, summary, [
    heading('SYNOPSIS'),
    `\\fBwm ${escapeRoff(word)}\\fR \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIflags\\fR]`,
    heading('COMMANDS'),
    ...formatCommands(commands),
  ]);
}

function formatCommand(program, command) {
  const { command: words, usage, details, aliases, pipeColumns, topics = [] } = command;
  const paragraphs = [
    ...(command.experimental ? ['Experimental: it may change in any release.'] : []),
    ...(details?.split('\n\n') ?? []),
    changesText[command.changes],
    ...(aliases ? [`Also: ${aliases.join(', ')}.`] : []),
    ...(pipeColumns ? [`In a pipe, tab-separated: ${pipeColumns.join(', ')}.`] : []),
  ];
  return page(program, pageName(words), command.summary, [
    heading('SYNOPSIS'),
    `\\fB${escapeRoff(words)}\\fR${escapeRoff(usage.slice(words.length))}`,
    heading('DESCRIPTION'),
    ...paragraphs.flatMap((text) => ['.PP', line(text)]),
    ...(command.arguments.length === 0
      ? []
      : [
          heading('ARGUMENTS'),
          ...command.arguments.flatMap(({ name, help }) => item(`\\fI${escapeRoff(name)}\\fR`, help)),
        ]),
    heading('OPTIONS'),
    ...formatFlags(command.flags),
    '.SS Common options',
    ...formatFlags(commonFlagsOf(program, command)),
    heading('EXAMPLES'),
    ...formatExamples(command.examples),
    ...topics.flatMap(formatTopic),
    ...formatExitStatuses(program),
  ]);
}

function formatTopic({ name, summary, parts, examples }) {
  return [
    heading(name.toUpperCase()),
    line(`${summary}.`),
    ...parts.flatMap(({ title, text, rows = [] }) => [
      ...(title === undefined ? ['.PP'] : [`.SS ${quote(title)}`]),
      ...(text?.split('\n\n').flatMap((paragraph) => ['.PP', line(paragraph)]) ?? []),
      ...rows.flatMap(([term, about]) => item(`\\fB${escapeRoff(term)}\\fR`, about)),
    ]),
    '.SS Examples',
    ...formatExamples(examples),
  ];
}

function formatCommands(commands) {
  return commands.flatMap(({ command, summary }) =>
    item(`\\fB${escapeRoff(pageName(command))}\\fR(1)`, summary),
  );
}

function formatFlags(flags) {
  return flags.flatMap((flag) => {
    const [names, value = ''] = flag.usage.split(/(?<=--\S+) /);
    const values = describeValues(flag);
    return item(
      `\\fB${escapeRoff(names)}\\fR${value === '' ? '' : ` \\fI${escapeRoff(value)}\\fR`}`,
      `${flag.help}.${values === '' ? '' : ` ${values}`}`,
    );
  });
}

function formatExamples(examples) {
  return examples.flatMap(({ description, command }) => [
    '.PP',
    line(`${description}:`),
    '.PP',
    '.RS 4',
    '.nf',
    line(command),
    '.fi',
    '.RE',
  ]);
}

function formatExitStatuses({ exitStatuses }) {
  return [
    heading('EXIT STATUS'),
    ...exitStatuses.flatMap(({ status, meaning }) => item(`\\fB${status}\\fR`, meaning)),
  ];
}

function page(program, name, summary, lines) {
  const about = summary.charAt(0).toLowerCase() + summary.slice(1).replace(/\.$/, '');
  const group = program.groups.find(({ word }) => name.startsWith(`wm-${word}-`));
  const others = [...(name === 'wm' ? ['wm-help'] : ['wm']), ...(group ? [`wm-${group.word}`] : [])];
  return `${[
    '.\\" Generated from the definitions of the commands.',
    `.TH ${quote(name.toUpperCase())} 1 "" ${quote(`wm ${program.version}`)} ""`,
    heading('NAME'),
    `${escapeRoff(name)} \\- ${escapeRoff(about)}`,
    ...lines,
    heading('SEE ALSO'),
    others.map((other) => `\\fB${escapeRoff(other)}\\fR(1)`).join(', '),
  ].join('\n')}\n`;
}

function heading(text) {
  return `.SH ${quote(text)}`;
}

function item(term, text) {
  return ['.TP', term, line(text)];
}

function quote(text) {
  return `"${escapeRoff(text)}"`;
}

/**
 * Formats a line of text. At its start, roff would take a full stop or an apostrophe for a request, and a space for a line break.
 */
function line(text) {
  return escapeRoff(text.replace(/\s*\n\s*/g, ' ').trim()).replace(/^(?=\.|\\\(aq)/, '\\&');
}

/** Characters that roff or a typesetter would replace by others. */
const special = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

function escapeRoff(text) {
  const toCode = (character) => character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
  return text.replace(
    /[\\'"`^~-]|[^\0-~]/gu,
    (character) => special[character] ?? `\\[u${toCode(character)}]`,
  );
}
