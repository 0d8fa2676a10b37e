// Formats the reference as Markdown: an index, and a page for the commands of each first word.

import { changesText, describeValues } from './describe-values.mjs';

/** Returns file names with their texts. */
export function formatReference(program) {
  const firstWord = ({ command }) => command.split(' ')[1];
  const pages = [...new Set(program.commands.map(firstWord))].map((word) => [
    `${word}.md`,
    formatPage(
      program,
      word,
      program.commands.filter((command) => firstWord(command) === word),
    ),
  ]);
  return new Map([['README.md', formatIndex(program)], ...pages]);
}

const origin = '<!-- Generated from the definitions of the commands: npm run reference -->';

function formatIndex(program) {
  const { summary, commands, commonFlags, requestFlags, environment, otherVariables } = program;
  const sections = [...new Set(commands.map(({ section }) => section))];
  return join([
    '# Reference',
    origin,
    `${prose(summary)} The same as \`wm --help\`, \`wm COMMAND --help\` and \`man wm\`; for programs: \`wm help --json\`.`,
    ...sections.flatMap((section) => [
      `## ${section}`,
      formatTable(
        ['command', 'what it does'],
        commands
          .filter((one) => one.section === section)
          .map(({ command, summary: does }) => [
            `[\`${command}\`](${command.split(' ')[1]}.md#${command.replaceAll(' ', '-')})`,
            prose(does),
          ]),
      ),
    ]),
    '## Common flags',
    'Every command takes these. Most flags without a value also have the forms `--no-x`, `--x=true` and `--x=false`.',
    formatFlags(commonFlags),
    'Most commands that send requests to the service also take these:',
    formatFlags(requestFlags),
    '## Exit statuses',
    'See [exit-codes](help.md#exit-codes).',
    '## Environment',
    formatTable(
      ['variable', 'meaning'],
      environment.map(({ name, meaning }) => [code(name), prose(meaning)]),
    ),
    `Also: ${otherVariables.map(code).join(', ')}.`,
  ]);
}

function formatPage({ groups }, word, commands) {
  const group = groups.find((one) => one.word === word);
  return join([
    `# wm ${word}`,
    origin,
    group && `${prose(group.summary)}.`,
    'Flags that every command takes: [common flags](README.md#common-flags).',
    ...commands.map(formatCommand),
  ]);
}

function formatCommand(command) {
  const { aliases, pipeColumns, topics = [] } = command;
  return join([
    `## ${command.command}`,
    `${prose(command.summary)}.${aliases ? ` Also: ${aliases.map(code).join(', ')}.` : ''}`,
    command.experimental && 'Experimental: it may change in any release.',
    fence('', command.usage),
    changesText[command.changes],
    formatTable(
      ['argument', 'meaning'],
      command.arguments.map(({ name, help }) => [code(name), prose(help)]),
    ),
    formatFlags(command.flags),
    command.details && formatParagraphs(command.details),
    pipeColumns && `In a pipe, tab-separated: ${pipeColumns.map(prose).join(', ')}.`,
    formatExamples(command.examples),
    ...topics.map(formatTopic),
  ]);
}

function formatTopic({ name, summary, parts, examples }) {
  return join([
    `### ${name}`,
    `${prose(summary)}.`,
    ...parts.flatMap(({ title, text, rows = [] }) => [
      title && `**${prose(title)}**`,
      text && formatParagraphs(text),
      formatTable(
        ['', ''],
        rows.map(([term, about]) => [code(term), prose(about)]),
      ),
    ]),
    formatExamples(examples),
  ]);
}

function formatParagraphs(text) {
  return text.split('\n\n').map(prose).join('\n\n');
}

function formatFlags(flags) {
  return formatTable(
    ['flag', 'meaning'],
    flags.map((flag) => [code(flag.usage), prose(`${flag.help}. ${describeValues(flag)}`.trim())]),
  );
}

function formatExamples(examples) {
  return fence('sh', examples.map(({ description, command }) => `# ${description}\n${command}`).join('\n\n'));
}

/** Empty without rows. */
function formatTable(titles, rows) {
  if (rows.length === 0) return '';
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A text with a backtick needs two around it. */
function code(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Plain text as Markdown: text in backticks is code there too. */
function prose(text) {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[\\*_[\]<>]/g, '\\$&')))
    .join('');
}

/** Joins the blocks that have a text with an empty line. */
function join(blocks) {
  return `${blocks
    .filter(Boolean)
    .map((block) => block.trimEnd())
    .join('\n\n')}\n`;
}
