// Several commands at once with an expired access token, each with its helper. The service takes a refresh token once. It holds:
// - Without harm, one refresh serves all, and everybody gets in.
// - A sign-in is lost only by a lost response, a death or a broken disk; and the user reads that it was lost.
// - What is stored whole, in any file beside the tokens, is found again.
// - A new sign-in cures it, and the store then holds what the service accepts.

import { hold } from './events.ts';
import type { Machine, Run } from './machine.ts';

const profile = {
  name: 'default',
  authUrl: 'http://127.0.0.1:9000',
  host: '127.0.0.1:9000',
  hostSuffixes: [],
  clientId: 'client-of-the-test',
  signedInAt: 1,
};
const folder = '/home/.config/wm';
const file = `${folder}/tokens/default.json`;

export async function renewal(machine: Machine): Promise<void> {
  const { simulation, fates, disk } = machine;
  const { random } = simulation;
  const store = random.chance(0.7) || fates.isPlanned ? 'file' : 'keychain';
  disk.put(
    `${folder}/profiles.json`,
    JSON.stringify({ current: 'default', profiles: [{ ...profile, store }] }),
  );
  const service = new Service(machine);
  await service.open();
  const whoami = () => machine.wm(['whoami'], { WM_TOKEN_STORE: store });
  const stored = () => {
    const text = store === 'file' ? disk.text(file) : machine.keychain.get('default');
    return text === undefined ? undefined : JSON.parse(text);
  };
  const storeItem = (item: object) => {
    // As after a sign-in, or after the hour for which an access token is valid.
    const text = JSON.stringify({ ...item, expiresAt: 1 });
    if (store === 'file') disk.put(file, text);
    else machine.keychain.set('default', text);
  };
  storeItem(service.signIn());
  for (let round = fates.isPlanned ? 1 : 1 + random.below(4); round > 0; round--) {
    const before = { ...fates.counts, rotations: service.rotations };
    fates.isHarsh = true;
    const runs: Run[] = [];
    for (let left = fates.isPlanned ? 2 : 1 + random.below(5); left > 0; left--) {
      runs.push(whoami());
      if (random.chance(0.5)) await simulation.pass(random.next() * 60);
    }
    const statuses = await Promise.all(runs.map(({ ended }) => ended));
    await machine.settled();
    fates.isHarsh = false;
    // What a dead process has sent may still arrive.
    await simulation.pass(60_000);
    const { deaths, diskFaults, networkFaults } = fates.counts;
    const isHarmed =
      deaths > before.deaths ||
      diskFaults > before.diskFaults ||
      networkFaults > before.networkFaults ||
      service.hasFailed;
    for (const [index, status] of statuses.entries()) {
      const { output, errors } = runs[index] ?? { output: '', errors: '' };
      if (status === 0) hold(/Ada/.test(output), `Who gets in reads the name: ${output}`);
      else hold(isHarmed, `Without harm everybody gets in: ${status} ${errors}`);
    }
    if (!isHarmed)
      hold(
        service.rotations === before.rotations + 1,
        `One refresh serves all: ${service.rotations - before.rotations}`,
      );
    const copies = disk
      .names(`${folder}/tokens`)
      .filter((name) => service.accepts(disk.text(`${folder}/tokens/${name}`)));
    const item = stored();
    const last = whoami();
    const status = await last.ended;
    await machine.settled();
    if (status !== 0) {
      const about = `${status} ${last.errors}`;
      hold(isHarmed, `Without harm nobody is locked out: ${about}`);
      hold(/was lost/.test(last.errors), `The user reads that the sign-in was lost: ${about}`);
      hold(copies.length === 0, `What is stored whole is found: ${copies} ${about}`);
      hold(
        !service.accepts(JSON.stringify(item)),
        `A stored token that the service accepts is used: ${about}`,
      );
      storeItem(service.signIn());
      disk.remove(`${folder}/renewals`);
      const again = whoami();
      hold((await again.ended) === 0, `A new sign-in cures it: ${again.errors}`);
      await machine.settled();
    }
    hold(
      service.accepts(JSON.stringify(stored())),
      `The store holds what the service accepts: ${JSON.stringify(stored())}`,
    );
    storeItem(stored());
    service.hasFailed = false;
  }
}

/** Rotates a refresh token with each use, and rejects every older one. */
class Service {
  readonly #machine: Machine;
  #generation = 1;
  rotations = 0;
  /** It has failed a request of this round, before or after it rotated. */
  hasFailed = false;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Whether the text holds the newest refresh token. */
  accepts(text: string | undefined): boolean {
    return text?.includes(`"canary-refresh-${this.#generation}"`) ?? false;
  }

  signIn(): object {
    const { generation, host, clientId } = { ...profile, generation: this.#generation };
    return { generation, ...this.#tokens(), host, clientId, clientSecret: 'canary-client-secret' };
  }

  #tokens() {
    return {
      accessToken: `canary-access-${this.#generation}`,
      refreshToken: `canary-refresh-${this.#generation}`,
    };
  }

  async open(): Promise<void> {
    const { network, simulation } = this.#machine;
    await network.serve(9000, ({ url, headers }, body) => {
      const [status, value] = this.#respond(url ?? '', headers.authorization, body);
      return { status, value, delayMs: simulation.random.next() * 20 };
    });
  }

  #respond(path: string, authorization: string | undefined, form: string): [status: number, value: object] {
    const { accessToken } = this.#tokens();
    if (path !== '/oauth2/token') {
      if (authorization !== `Bearer ${accessToken}`)
        return [401, { errorDescription: 'Access token is unknown or invalid', error: 'not_authorized' }];
      if (path.startsWith('/api/v4/account'))
        return [200, { kind: 'accounts', data: [{ id: 'IEAAAAAQ', name: 'Account' }] }];
      return [200, { kind: 'contacts', data: [{ id: 'KUAAAAAA', firstName: 'Ada', me: true }] }];
    }
    const { simulation, fates } = this.#machine;
    if (new URLSearchParams(form).get('refresh_token') !== `canary-refresh-${this.#generation}`)
      return [400, { error: 'invalid_grant', error_description: 'The refresh token is invalid' }];
    const fails = () => {
      const isFailure = fates.isHarsh && !fates.isPlanned && simulation.random.chance(0.05);
      this.hasFailed ||= isFailure;
      return isFailure;
    };
    if (fails()) return [500, { error: 'server_error' }];
    this.#generation++;
    this.rotations++;
    simulation.log('service', `rotates to ${this.#generation}`);
    if (fails()) return [500, { error: 'server_error' }];
    const { accessToken: access_token, refreshToken: refresh_token } = this.#tokens();
    return [
      200,
      { access_token, refresh_token, token_type: 'bearer', expires_in: 3600, host: '127.0.0.1:9000' },
    ];
  }
}
