// `wm emulator exec -- COMMAND`: runs an emulator for as long as a command, whose environment points to it.

import { basename, join } from 'node:path';
import { command } from '#cli/command.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { quoteForPosix } from '#cli/shell-quote.ts';
import { Failure } from '#failure.ts';
import { formatWebhookRecords, webhookRecordsFile } from '#local-records/webhook-records.ts';
import type { Environment, World } from '#world/world.ts';
import { findIgnored } from '../http/check-requests.ts';
import { sample } from '../state/sample-ids.ts';
import { emulatorEnvironment, trustEnvironment } from './environment.ts';
import { emulatorFlags, firstFlags } from './flags.ts';
import { withEmulator } from './with-emulator.ts';

export default command({
  changes: 'this machine',
  examples: {
    'Update a sample task': 'wm emulator exec -- wm task update IEAAAAAQKQAB5BNG --status Completed',
    'Test your own program, which reads WM_HOST, WM_TOKEN and WM_EMULATOR_URL':
      'wm emulator exec -- npm test',
    'Use https, for a client that requires it': 'wm emulator exec --tls -- npm test',
    'Try wm without an account: a shell in which it is signed in to the emulator': 'wm emulator exec -- bash',
    'In CI: fail if the emulator ignores something that your program sends':
      'wm emulator exec --fail-on-ignored -- wm task update IEAAAAAQKQAB5BNG --status Completed',
    'Try signing in': 'wm emulator exec --signed-out -- wm login',
  },
  details: `For the command, wm sets WM_AUTH_URL, WM_HOST, WM_TOKEN, WM_CLIENT_ID, WM_CLIENT_SECRET, WM_EMULATOR_URL, and a
temporary WM_CONFIG_DIR with WM_TOKEN_STORE=file. With --tls, it also sets NODE_EXTRA_CA_CERTS, SSL_CERT_FILE,
CURL_CA_BUNDLE and the other variables that make clients trust a certificate. wm exits with the status of the command. To run it
under nohup, put nohup before the command too.

--fail-on-ignored is for programs that must work with the service: after the command, wm lists on standard error the requests that
the emulator does not have and no stub responded to, any of which it ignored a parameter, a member or the body of a GET, and any accepted
in a form that --strict rejects and that no source shows (\`assumed\` in \`wm emulator assumptions\`). If there are any and the command
ended with 0, the status is 10. Other assumptions do not count, because a program cannot avoid them: \`wm emulator requests --ignored\`
lists these too.`,
  arguments: {
    command: { help: 'the command and its arguments, after --', many: true, afterDoubleDash: true },
  },
  firstFlags: [...firstFlags, 'signedOut'],
  flags: {
    ...emulatorFlags,
    signedOut: booleanFlag('Leave WM_TOKEN unset, to try `wm login`'),
    failOnIgnored: booleanFlag('Exit with status 10 if something in a request was ignored, and list it'),
  },
  handlesInterrupt: true,
  async run({ arguments: { command: words }, flags }, context) {
    const { world, report } = context;
    context.ignoreHangupWithoutTerminal();
    const folder = await world.files.makeTemporaryFolder('wm-emulator-');
    let status = 0;
    let ignored: readonly string[] = [];
    try {
      await withEmulator(context, flags, { folder }, async (emulator, certificate) => {
        const trust = certificate && (await trustEnvironment(world, certificate, folder));
        const emulated = emulatorEnvironment(world.environment, emulator, folder, trust);
        const environment = await addWmToPath(world, emulated, folder);
        await writeSampleNote(world, emulator.host, folder);
        const { WM_TOKEN: _, ...signedOut } = environment;
        const start = flags.signedOut ? 'Try wm login, then' : 'You are signed in. Try';
        const { input, errors } = world.streams;
        // Without `npx`, which a report would print: the shell finds `wm`.
        if (isShell(words) && input.isTerminal && !report.isQuiet) await errors.write(greeting(start));
        status = await run(world, words, flags.signedOut ? signedOut : environment);
        // Without a shell, a missing command ends with 127 and prints nothing.
        if (status === 127) await report.warn(`wm: ${words[0]} exited with status 127: command not found`);
        if (flags.failOnIgnored)
          ignored = findIgnored((await emulator.control('GET /requests', { query: onlyIgnored })).requests);
      });
      if (ignored.length > 0) throw somethingIgnored(ignored);
    } catch (error) {
      // The command's own status says more.
      if (status === 0 || !(error instanceof Failure)) throw error;
      await report.failure(error);
    } finally {
      await world.files.removeFolder(folder);
    }
    return status;
  },
});

const onlyIgnored: ReadonlyMap<string, string> = new Map([['ignored', 'true']]);

const somethingIgnored = (lines: readonly string[]) =>
  new Failure('check_failed', {
    message: 'The emulator lacks these requests, ignored a part of them, or only assumes that they work',
    hint: `${lines.join('\n')}\nThe meaning of each row: wm emulator assumptions. With --strict, the emulator rejects such requests.`,
  });

/** An interactive shell: without a script, and with at most flags such as `-i` and `--norc`. */
function isShell([name = '', ...rest]: readonly string[]): boolean {
  return (
    /^(?:(?:ba|da|z|k|fi|nu)?sh|nu|pwsh|powershell|cmd)(?:\.exe)?$/i.test(basename(name)) &&
    rest.every((word) => /^(?:-[fil]+|--?(?:interactive|login|no[-\w]+))$/i.test(word))
  );
}

const greeting = (start: string) => `In this shell, wm talks to an emulator with sample data. ${start}:

  wm task list --responsible @me
  wm task update 'Weekly report' --status Completed
  wm task undo 'Weekly report'
  wm webhook list
  wm webhook suspend billing --note 'ticket 4711'

Type exit to end the emulator.

`;

async function run(world: World, [name = '', ...rest]: readonly string[], environment: Environment) {
  const child = world.process.start([name, ...rest], { environment, streams: 'inherit' });
  // Ctrl-C reaches the command through the terminal; the command decides what to do.
  const stopListening = world.process.onInterrupt((signal) => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
  try {
    return await child.ended;
  } finally {
    stopListening();
  }
}

/** The note of the sample's suspended webhook. It is stored where the command's `wm` looks for what the service does not store. */
async function writeSampleNote({ files, clock }: World, host: string, configFolder: string): Promise<void> {
  const at = new Date(clock.now() - 2 * 86_400_000).toISOString();
  const records = new Map([
    [sample.suspendedHook, { note: { text: 'its disk is full', by: 'Ben Okafor', at } }],
  ]);
  const path = webhookRecordsFile(join(configFolder, 'state'), host);
  await files.write(path, formatWebhookRecords(records), { mode: 0o600 });
}

/** Puts this `wm` on the command's PATH, where it is no longer run by npx. */
async function addWmToPath(
  { files, process }: World,
  inherited: Environment,
  folder: string,
): Promise<Environment> {
  const { platform, self } = process;
  const { npm_lifecycle_event: _, ...environment } = inherited;
  const bin = join(folder, 'bin');
  if (platform !== 'win32') {
    const script = `#!/bin/sh\nexec ${self.map(quoteForPosix).join(' ')} "$@"\n`;
    await files.write(join(bin, 'wm'), script, { mode: 0o755 });
    return { ...environment, PATH: addToPath(environment['PATH'], bin, ':') };
  }
  // The paths go into variables: cmd.exe reads a file in a code page that may lack their letters, and replaces % in them.
  const parts = Object.fromEntries(self.map((part, index) => [`WM_SELF_${index}`, part]));
  const line = Object.keys(parts).map((name) => `"%${name}%"`);
  await files.write(join(bin, 'wm.cmd'), `@${line.join(' ')} %*\r\n`, { mode: 0o755 });
  // Usually Path. A second variable that differs only in case could win over it.
  const name = Object.keys(environment).find((variable) => variable.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...environment, ...parts, [name]: addToPath(environment[name], bin, ';') };
}

/** Adds no empty entry, which would stand for the current folder. */
function addToPath(path: string | undefined, folder: string, separator: ':' | ';'): string {
  return path ? `${path}${separator}${folder}` : folder;
}
