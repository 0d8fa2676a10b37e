// Opens a task in the user's browser (--web). The address is text from the service: wm opens only http and https, passes it to no
// shell, and names its host first.

import type { Context } from '#cli/context.ts';
import { formatValue } from '#contract/schema.ts';
import type { Task } from '#contract/task.ts';
import { Failure } from '#failure.ts';
import type { Environment } from '#world/world.ts';

/** Prints the address if no browser can be opened. Throws if the service returned no usable address. */
export async function openInBrowser({ report, world }: Context, task: Task): Promise<void> {
  const address = webAddress(task);
  if (!isRemote(world.environment)) {
    await report.info(`Opening ${address.host} in the browser: ${address.href}`);
    if (await world.browser.open(address.href)) return;
  }
  await report.info('No browser can be opened here. Open this address:');
  if (report.wantsJson) await report.info(address.href);
  else await report.line(address.href);
}

function webAddress({ id, permalink }: Task): URL {
  if (permalink === undefined || permalink === '')
    throw new Failure('bad_response', {
      message: `The service returned no permalink of ${id}`,
      hint: 'Open the web workspace, and search for the task there.',
    });
  const address = URL.canParse(permalink) ? new URL(permalink) : undefined;
  const isWeb = address !== undefined && /^https?:$/.test(address.protocol);
  // In https://workspace.example.com@evil.example, a user takes the text before the @ for the host.
  if (isWeb && address.username === '' && address.password === '') return address;
  throw new Failure('bad_response', {
    message: `The permalink of ${id} cannot be opened: ${formatValue(permalink)}`,
    why: isWeb ? 'it contains a user name or a password' : 'it is not an http or https address',
    hint: 'Open the web workspace, and search for the task there.',
  });
}

/** Over ssh, a browser would open on another machine than the user's, unless BROWSER says how to open one. */
function isRemote({ SSH_CONNECTION, SSH_TTY, BROWSER }: Environment): boolean {
  return Boolean(SSH_CONNECTION || SSH_TTY) && !BROWSER;
}
