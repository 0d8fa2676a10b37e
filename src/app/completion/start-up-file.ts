// Finds the file that a shell reads when it starts, and writes the line in it that turns completion on. Finds that line again by the
// comment at its end. All other lines stay as they are.

import type { Input } from '#cli/command.ts';
import { valueFlag } from '#cli/flags/flag.ts';
import { withValueName } from '#cli/parse-values.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { choice } from '#contract/schema.ts';
import { Failure, failWith, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { type Shell, shells } from './shells.ts';

const shellFlag = valueFlag(
  choice('shell', shells),
  'SHELL',
  `The shell: ${shells.join(', ')} (default: your login shell)`,
);

type StartUpFile = Awaited<ReturnType<typeof readStartUpFile>>;

/** What `wm completion install` and `uninstall` take. Either names the shell. */
export const shellInput = {
  arguments: { shell: { help: 'the shell, as with --shell', choices: shells, optional: true } },
  flags: { shell: shellFlag },
} as const;

type Parts = Pick<World, 'environment' | 'files' | 'process'>;

/** If `wm` is not on the PATH, the lines print no message when a shell starts. */
const lines: Readonly<Record<Shell, string>> = {
  bash: 'if command -v wm >/dev/null; then eval "$(wm completion bash)"; fi',
  zsh: 'if command -v wm >/dev/null; then eval "$(wm completion zsh)"; fi',
  fish: 'command -q wm; and wm completion fish | source',
  powershell:
    'if (Get-Command wm -ErrorAction SilentlyContinue) { wm completion powershell | Out-String | Invoke-Expression }',
};

/** `text`: empty if the file does not exist. Throws `usage` for an unknown shell or a file that is not UTF-8, else `other`. */
export async function readStartUpFile(
  world: Parts,
  { arguments: { shell: text }, flags }: Input<typeof shellInput.arguments, typeof shellInput.flags>,
) {
  const named = text === undefined ? flags.shell : withValueName('SHELL', () => shellFlag.parse([text]));
  if (flags.shell !== undefined && named !== flags.shell)
    throw usageError(`Two shells are given: ${named} and ${flags.shell}`, 'Give one of them.');
  const shell = named ?? detectShell(world);
  const [path, line] = [await findPath(world, shell), lines[shell]];
  const bytes = await world.files
    .read(path, { maxBytes: 16 * 1024 * 1024 })
    .catch(startUpFailure('read', path, line));
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { shell, path, line, text };
  } catch {
    throw usageError(
      `${path} is not UTF-8, so wm does not change it`,
      `Add or remove this line yourself: ${line}`,
    );
  }
}

/** The login shell in SHELL; on Windows, PowerShell. */
function detectShell({ environment, process: processes }: Parts): Shell {
  if (processes.platform === 'win32') return 'powershell';
  const name = environment['SHELL']?.split('/').at(-1);
  const shell = name === 'pwsh' ? 'powershell' : shells.find((candidate) => candidate === name);
  if (shell !== undefined) return shell;
  throw usageError(
    name === undefined || name === ''
      ? 'SHELL is not set, so wm cannot tell which shell you use'
      : `wm has no completion for ${name}`,
    `Name it with --shell: ${joinWithOr(shells)}`,
  );
}

async function findPath(world: Parts, shell: Shell): Promise<string> {
  if (shell === 'powershell') return askPowerShell(world);
  const { environment, files, process: processes } = world;
  const { HOME: home, XDG_CONFIG_HOME: config, ZDOTDIR: zsh } = environment;
  if (!home) throw usageError('HOME is not set', 'Set HOME to your home folder.');
  if (shell === 'fish')
    return `${config?.startsWith('/') ? config : `${home}/.config`}/fish/completions/wm.fish`;
  if (shell === 'zsh') return `${zsh || home}/.zshrc`;
  if (processes.platform !== 'darwin') return `${home}/.bashrc`;
  // Terminals on macOS start login shells, which read only the first of these files that exists.
  for (const name of ['.bash_profile', '.bash_login', '.profile'])
    if ((await files.kind(`${home}/${name}`)) !== undefined) return `${home}/${name}`;
  return `${home}/.bash_profile`;
}

/** Only PowerShell itself knows the path: it depends on the version, and on Windows' folder for documents. */
async function askPowerShell({ environment, process: processes }: Parts): Promise<string> {
  for (const program of ['pwsh', 'powershell']) {
    let output = '';
    const child = processes.start([program, '-NoProfile', '-NonInteractive', '-Command', '$PROFILE'], {
      environment,
      streams: 'pipe',
      onOutput: (text) => {
        output += text;
      },
    });
    const path = (await child.ended) === 0 ? output.trim() : '';
    if (path !== '') return path;
  }
  throw new Failure('other', {
    message: `Cannot ask PowerShell for the path of its profile`,
    why: 'neither pwsh nor powershell could be run',
    hint: `Add this line to your profile: ${lines.powershell}`,
  });
}

/** Replaces the target of a link, not the link itself. Throws `other`. */
export async function writeStartUpFile({ files }: Parts, { path, line }: StartUpFile, text: string) {
  await files
    .realPath(path)
    .then((real) => files.write(real, text, { mode: 0o644, keepsMode: true }))
    .catch(startUpFailure('write', path, line));
}

const startUpFailure = (verb: string, path: string, line: string) =>
  failWith('other', `Cannot ${verb} ${path}`, `Add or remove this line yourself: ${line}`);

const mark = '# wm completion';
const markedLine = /^.*# wm completion[ \t]*(?:\r?\n|$)/gm;

/** Replaces wm's old line, or adds the line at the end. */
export function putMarkedLine(text: string, line: string): string {
  const marked = `${line}  ${mark}\n`;
  const position = text.search(markedLine);
  if (position !== -1)
    return removeMarkedLine(text.slice(0, position)) + marked + removeMarkedLine(text.slice(position));
  return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${marked}`;
}

export function removeMarkedLine(text: string): string {
  return text.replace(markedLine, '');
}
