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
  return page(program, 'wm', program.summary, {
    SYNOPSIS: ['\\fBwm\\fR \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIflags\\fR]'],
    COMMANDS: formatCommands(program.commands),
    OPTIONS: [
      'Every command takes these:',
      ...formatFlags(program.commonFlags),
      '.PP',
      'Most commands that send requests to the service also take these:',
      ...formatFlags(program.requestFlags),
    ],
    ENVIRONMENT: [
      ...program.environment.flatMap(({ name, meaning }) => item(bold(name), meaning)),
      '.PP',
      line(`Also: ${program.otherVariables.join(', ')}.`),
    ],
    'EXIT STATUS': formatExitStatuses(program),
  });
}

function formatGroup(program, { word, summary }) {
  const commands = program.commands.filter(({ command }) => command.startsWith(`wm ${word} `));
  return page(program, `wm-${word}`, summary, {
    SYNOPSIS: [`${bold(`wm ${word}`)} \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIflags\\fR]`],
    COMMANDS: formatCommands(commands),
  });
}

function formatCommand(program, command) {
  const { command: words, usage, aliases, pipeColumns, topics = [] } = command;
  const paragraphs = [
    command.experimental && 'Experimental: it may change in any release.',
    ...(command.details?.split('\n\n') ?? []),
    changesText[command.changes],
    aliases && `Also: ${aliases.join(', ')}.`,
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.join(', ')}.`,
  ].filter(Boolean);
  const operands = command.arguments.flatMap(({ name, help }) => item(italic(name), help));
  return page(program, pageName(words), command.summary, {
    SYNOPSIS: [bold(words) + escapeRoff(usage.slice(words.length))],
    DESCRIPTION: formatParagraphs(paragraphs),
    ...(operands.length > 0 && { ARGUMENTS: operands }),
    OPTIONS: [
      ...formatFlags(command.flags),
      '.SS Common options',
      ...formatFlags(commonFlagsOf(program, command)),
    ],
    EXAMPLES: formatExamples(command.examples),
    ...Object.fromEntries(topics.map((topic) => [topic.name.toUpperCase(), formatTopic(topic)])),
    'EXIT STATUS': formatExitStatuses(program),
  });
}

function formatTopic({ summary, parts, examples }) {
  return [
    line(`${summary}.`),
    ...parts.flatMap(({ title, text, rows = [] }) => [
      title === undefined ? '.PP' : `.SS ${quote(title)}`,
      ...formatParagraphs(text?.split('\n\n') ?? []),
      ...rows.flatMap(([term, about]) => item(bold(term), about)),
    ]),
    '.SS Examples',
    ...formatExamples(examples),
  ];
}

function formatParagraphs(texts) {
  return texts.flatMap((text) => ['.PP', line(text)]);
}

function formatCommands(commands) {
  return commands.flatMap(({ command, summary }) => item(reference(pageName(command)), summary));
}

function formatFlags(flags) {
  return flags.flatMap((flag) => {
    const [names, value] = flag.usage.split(/(?<=--\S+) /);
    const term = value === undefined ? bold(names) : `${bold(names)} ${italic(value)}`;
    return item(term, `${flag.help}. ${describeValues(flag)}`);
  });
}

function formatExamples(examples) {
  return examples.flatMap(({ description, command }) => [
    ...formatParagraphs([`${description}:`]),
    '.PP',
    '.RS 4',
    '.nf',
    line(command),
    '.fi',
    '.RE',
  ]);
}

function formatExitStatuses({ exitStatuses }) {
  return exitStatuses.flatMap(({ status, meaning }) => item(bold(String(status)), meaning));
}

/** `sections`: their lines, by heading. */
function page(program, name, summary, sections) {
  const about = summary.charAt(0).toLowerCase() + summary.slice(1).replace(/\.$/, '');
  const group = program.groups.find(({ word }) => name.startsWith(`wm-${word}-`));
  const others = [name === 'wm' ? 'wm-help' : 'wm', ...(group ? [`wm-${group.word}`] : [])];
  const all = {
    NAME: [`${escapeRoff(name)} \\- ${escapeRoff(about)}`],
    ...sections,
    'SEE ALSO': [others.map(reference).join(', ')],
  };
  return `${[
    '.\\" Generated from the definitions of the commands.',
    `.TH ${quote(name.toUpperCase())} 1 "" ${quote(`wm ${program.version}`)} ""`,
    ...Object.entries(all).flatMap(([title, lines]) => [`.SH ${quote(title)}`, ...lines]),
  ].join('\n')}\n`;
}

function item(term, text) {
  return ['.TP', term, line(text)];
}

const bold = (text) => `\\fB${escapeRoff(text)}\\fR`;
const italic = (text) => `\\fI${escapeRoff(text)}\\fR`;
/** Another page. */
const reference = (name) => `${bold(name)}(1)`;

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
