// `wm emulator start`: the service on this machine, in the foreground, until Ctrl-C.

import type { RunningEmulator } from '../../emulator/emulator.ts';
import type { World } from '../../world/world.ts';
import { command } from '../command.ts';
import { setVariables, withVariables } from '../shell-quote.ts';
import { closeAfter } from './close-after.ts';
import { cannotStart, emulatorFlags, emulatorOptions } from './flags.ts';
import { createTlsCertificate } from './tls-certificate.ts';

export default command({
  examples: [
    { description: 'Start it, on a fixed port', command: 'wm emulator start --port 4010' },
    { description: 'For a program: one line of JSON, then silence', command: 'wm emulator start --json' },
    { description: 'One that remembers', command: 'wm emulator start --data emulator.json' },
    { description: 'For a client that speaks https alone', command: 'wm emulator start --tls' },
    {
      description: 'With webhooks that arrive at a program on this machine',
      command: 'wm emulator start --connect-to hooks.example.com=127.0.0.1:8080',
    },
  ],
  details: `This is an emulator: it keeps its own sample account in memory (or in --data FILE), follows the contract
strictly, and assumes what the contract does not show: \`wm emulator assumptions\` and its front page list all of it.
Nothing it does reaches the real service. In tests, \`wm emulator clock\`, \`fault\`, \`emit\`, \`deliveries\`, \`mails\`,
\`mass-action\`, \`user\`, \`token\`, \`revoke\` and \`reset\` steer it. --json prints the addresses of all three data centres.
With --tls it says which file holds the certificate that clients have to trust; the file goes when the emulator ends.`,
  arguments: {},
  flags: emulatorFlags,
  handlesInterrupt: true,
  async run({ flags }, { world, report }) {
    const interrupted = new Promise<void>((resolve) => world.process.onInterrupt(() => resolve()));
    const { startEmulator } = await import('../../emulator/emulator.ts');
    const folder = flags.tls ? await world.files.makeTemporaryFolder('wm-emulator-') : undefined;
    try {
      const trust = folder === undefined ? undefined : await createTlsCertificate(world, folder);
      const running = await startEmulator(world, emulatorOptions(flags, trust, report));
      if ('fault' in running) throw cannotStart(flags, running);
      await closeAfter(running, async () => {
        // Its sample credentials are what it prints them for; the environment may hold the same ones.
        if (report.wantsJson)
          await world.streams.output.write(
            `${formatReadyLine(running, trust?.path)}
`,
            { showsSecrets: true },
          );
        else await report.withSecrets().line(formatGreeting(running, flags.data, trust?.path, world));
        await interrupted;
      });
    } finally {
      if (folder !== undefined) await world.files.removeFolder(folder);
    }
  },
});

function formatReadyLine(running: RunningEmulator, certificate: string | undefined): string {
  const { authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres } = running;
  return JSON.stringify({ authUrl, baseUrl, host, clientId, clientSecret, token, dataCentres, certificate });
}

/** The profile that the printed line signs in to, so that no sign-in to the real service is replaced. */
const profile = 'emulator';

function formatGreeting(
  running: RunningEmulator,
  data: string | undefined,
  certificate: string | undefined,
  world: Pick<World, 'process'>,
): string {
  const { authUrl, baseUrl, host, clientId, clientSecret, token, sampleTask, sampleFolder, sampleSpace } =
    running;
  const trust = certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate };
  const login = `wm login --profile ${profile} --auth-url ${authUrl} --client-id ${clientId}`;
  const reached = {
    WM_HOST: certificate === undefined ? host : authUrl,
    WM_EMULATOR_URL: new URL(baseUrl).origin,
    WM_TOKEN: token,
    ...trust,
  };
  return [
    data === undefined
      ? 'An emulator of the service. Its account is a sample, and lives as long as this process.'
      : `An emulator of the service. It stores its account in ${data}.`,
    '',
    `  API              ${baseUrl}`,
    `  authorization    ${authUrl}`,
    `  client id        ${clientId}`,
    `  client secret    ${clientSecret}`,
    `  permanent token  ${token}`,
    ...(certificate === undefined ? [] : [`  certificate      ${certificate}`]),
    '',
    'Samples to try it with:',
    '',
    `  a task           ${sampleTask}`,
    `  a folder         ${sampleFolder}   (for wm webhook create URL --folder ID)`,
    `  a space          ${sampleSpace}   (for wm webhook create URL --space ID)`,
    '',
    'In another terminal, sign in as a person does:',
    '',
    `  ${withVariables({ ...trust, WM_CLIENT_SECRET: clientSecret }, login, world)}`,
    '',
    'This secret is a sample. Keep a real one off the command line: wm login asks for it without showing it.',
    '',
    'Or do without a sign-in, with the permanent token:',
    '',
    `  ${setVariables(reached, world)}`,
    `  wm task update ${sampleTask} --status Completed`,
    '',
    ...(certificate === undefined
      ? []
      : [
          'Other clients trust the certificate by SSL_CERT_FILE, CURL_CA_BUNDLE or REQUESTS_CA_BUNDLE. It is good for',
          'localhost, 127.0.0.1 and ::1, and its file goes when this ends.',
          '',
        ]),
    'Ctrl-C ends it.',
  ].join('\n');
}
