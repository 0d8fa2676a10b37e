// Finds the flags that no test types at their command. test/support/program/program.ts and worker.mjs record the command lines with which tests run wm,
// except usage errors. It cannot tell whether a test shows the effect of a flag.

/** These type the flags of all commands from a table, and do not show what one of them does. */
const sweeps = /^test\/app\/(?:every-command|examples|reads-write-nothing|boolean-flags)\.|fuzz/;

/** Only test/sink types these, because they need NATS servers. */
const needsServers = (line) => /^wm webhook (?:sink|forward) |^wm webhook \w+ --sink/.test(line);

/**
 * Returns which flags a run has to type, as a predicate of `wm task list --sort`; undefined if it is only a part of a suite. `command`:
 * judge this one's anyway.
 * @param {{ suite: string, isWhole: boolean, wanted: readonly string[], command?: string | undefined }} run
 * @returns {((line: string) => boolean) | undefined}
 */
export function flagsToType({ suite, isWhole, wanted, command }) {
  if (command !== undefined) return (line) => line.startsWith(`wm ${command} --`);
  if (isWhole && suite === 'quick') return (line) => !needsServers(line);
  return wanted.length === 1 && /^test\/sink\/?$/.test(wanted[0]) ? needsServers : undefined;
}

/**
 * `described`: the output of `wm help --json`. `ran`: the command lines by test file. Returns lines such as `wm task list --sort`.
 * @typedef {{ flag: string, usage: string, type: string }} Flag
 * @param {{ commands: { command: string, flags: Flag[] }[], commonFlags: Flag[], requestFlags: Flag[] }} described
 * @param {readonly { file: string, commandLines?: string[][] }[]} ran
 * @param {(line: string) => boolean} isToType
 * @returns {string[]}
 */
export function findUntypedFlags({ commands, commonFlags, requestFlags }, ran, isToType) {
  const common = [...commonFlags, ...requestFlags];
  const typed = new Set();
  // A file that ended its process has not reported any.
  for (const { file, commandLines = [] } of ran) {
    if (sweeps.test(file)) continue;
    for (const argv of commandLines) {
      const words = readArgv(argv, common).words.join(' ');
      const found = commands.filter(({ command }) => `wm ${words} `.startsWith(`${command} `));
      // The longest: `emulator token`, not `emulator`.
      const row = found.sort((a, b) => b.command.length - a.command.length)[0];
      if (row === undefined) continue;
      const { flags } = readArgv(argv, [...common, ...row.flags]);
      if (!flags.includes('--help')) for (const flag of flags) typed.add(`${row.command} ${flag}`);
    }
  }
  const lines = commands.flatMap(({ command, flags }) => flags.map(({ flag }) => `${command} ${flag}`));
  const toType = lines.filter(isToType);
  if (toType.length === 0) throw new Error('No command has such flags');
  return toType.filter((line) => !typed.has(line));
}

const help = { flag: '--help', usage: '-h, --help', type: 'boolean' };

/** Separate from the parser of wm, which cannot tell when it misreads a command line. Unknown flags take no value. */
function readArgv(argv, known) {
  const forms = new Map();
  for (const row of [...known, help])
    for (const form of [row.flag, row.flag.replace('--', '--no-'), /^-\w(?=, )/.exec(row.usage)?.[0]])
      if (form !== undefined) forms.set(form, row);
  const words = [];
  const flags = [];
  for (let at = 0; at < argv.length && argv[at] !== '--'; at++) {
    const word = argv[at];
    const [form] = word.split('=', 1);
    if (!form.startsWith('-')) words.push(word);
    const rows = /^-\w\w/.test(word)
      ? Array.from(word.slice(1), (letter) => forms.get(`-${letter}`))
      : [forms.get(form)];
    for (const row of rows) if (row !== undefined) flags.push(row.flag);
    const last = rows.at(-1);
    if (last !== undefined && last.type !== 'boolean' && form === word) at++;
  }
  return { words, flags };
}
