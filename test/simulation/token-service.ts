// The service of the scenarios about sign-ins: it takes a code once, and replaces a refresh token with each use.

import type { Machine } from './machine.ts';

export const application = { clientId: 'client-of-the-test', clientSecret: 'canary-client-secret' } as const;
export const profile = {
  name: 'default',
  authUrl: 'http://127.0.0.1:9000',
  host: '127.0.0.1:9000',
  hostSuffixes: [],
  clientId: application.clientId,
  signedInAt: 1,
};

/** The tokens of one sign-in. */
interface Grant {
  readonly number: number;
  generation: number;
}

export class TokenService {
  readonly #machine: Machine;
  readonly #grants: Grant[] = [];
  #codes = 0;
  readonly #usedCodes = new Set<string>();
  get signIns(): number {
    return this.#grants.length;
  }
  rotations = 0;
  /** How often it was sent a refresh token that it had replaced. */
  rejections = 0;
  /** It has failed a request of this round, before or after it rotated. */
  hasFailed = false;
  /** Makes the tokens longer. */
  readonly #padding: string;

  constructor(machine: Machine, padding = 0) {
    this.#machine = machine;
    this.#padding = 'x'.repeat(padding);
  }

  /** The number of the sign-in whose newest refresh token is in the text, if any. */
  accepts(text: string | undefined): number | undefined {
    return this.#grants.find((grant) => text?.includes(`"${this.#tokens(grant).refreshToken}"`))?.number;
  }

  /** A new sign-in, as wm stores it. */
  signIn(): { readonly expiresAt: number } {
    const { host } = profile;
    return { ...{ generation: 1, ...this.#tokens(this.#grant()), host, ...application }, expiresAt: 1 };
  }

  /** What the browser lands on after the user has pressed Allow. */
  landingUrl(consentUrl: string): string {
    const { searchParams } = new URL(consentUrl);
    return `${searchParams.get('redirect_uri')}?code=canary-code-${++this.#codes}&state=${searchParams.get('state')}`;
  }

  async open(): Promise<void> {
    const { network, simulation } = this.#machine;
    await network.serve(9000, ({ url, headers }, body) => {
      const [status, value] = this.#respond(url ?? '', headers.authorization, new URLSearchParams(body));
      return { status, value, delayMs: simulation.random.next() * 20 };
    });
  }

  #grant(): Grant {
    const grant = { number: this.#grants.length + 1, generation: 1 };
    this.#grants.push(grant);
    return grant;
  }

  #tokens({ number, generation }: Grant) {
    const name = `${number}.${generation}${this.#padding}`;
    return { accessToken: `canary-access-${name}`, refreshToken: `canary-refresh-${name}` };
  }

  #respond(path: string, authorization: string | undefined, form: URLSearchParams): [number, object] {
    if (path === '/') return [200, {}];
    if (path === '/oauth2/token')
      return form.has('code') ? this.#exchange(form.get('code') ?? '') : this.#refresh(form);
    if (this.#grants.every((grant) => authorization !== `Bearer ${this.#tokens(grant).accessToken}`))
      return [401, { errorDescription: 'Access token is unknown or invalid', error: 'not_authorized' }];
    if (path.startsWith('/api/v4/account'))
      return [200, { kind: 'accounts', data: [{ id: 'IEAAAAAQ', name: 'Account' }] }];
    return [200, { kind: 'contacts', data: [{ id: 'KUAAAAAA', firstName: 'Ada', me: true }] }];
  }

  #exchange(code: string): [number, object] {
    if (this.#usedCodes.has(code)) return [400, { error: 'invalid_grant' }];
    this.#usedCodes.add(code);
    return this.#granted(this.#grant());
  }

  #refresh(form: URLSearchParams): [number, object] {
    const { simulation } = this.#machine;
    const sent = form.get('refresh_token');
    const grant = this.#grants.find((one) => this.#tokens(one).refreshToken === sent);
    if (!grant) {
      this.rejections++;
      return [400, { error: 'invalid_grant', error_description: 'The refresh token is invalid' }];
    }
    if (this.#fails()) return [500, { error: 'server_error' }];
    grant.generation++;
    this.rotations++;
    simulation.log('service', `rotates sign-in ${grant.number} to ${grant.generation}`);
    return this.#fails() ? [500, { error: 'server_error' }] : this.#granted(grant);
  }

  #fails(): boolean {
    const { simulation, fates } = this.#machine;
    const isFailure = fates.isHarsh && !fates.isPlanned && simulation.random.chance(0.05);
    this.hasFailed ||= isFailure;
    return isFailure;
  }

  #granted(grant: Grant): [number, object] {
    const { accessToken: access_token, refreshToken: refresh_token } = this.#tokens(grant);
    const { host } = profile;
    return [200, { access_token, refresh_token, token_type: 'bearer', expires_in: 3600, host }];
  }
}
