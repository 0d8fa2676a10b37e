// A person with a folder of their own who runs `wm`, and the browser they use. After every command all that was written
// is searched for the secrets of the test: they may stand in the token store and nowhere else.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredTokens } from '#login/token-store.ts';
import { createFiles } from '#world/files.ts';
import { type Ran, run, type Setting } from '../program/program.ts';
import { type AuthService, secrets } from '../service/auth-service.ts';

export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One GET, or another method, to where the browser was sent; `host` stands in the Host header. */
export function visit(url: string, options: { host?: string; method?: string } = {}): Promise<Page> {
  const headers = options.host === undefined ? {} : { host: options.host };
  return new Promise((resolve, reject) => {
    const asking = request(
      url,
      { method: options.method ?? 'GET', headers, agent: false },
      async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      },
    );
    // A page that is held back for ever is a failure of the test, not a wait for ever.
    asking.setTimeout(60_000, () => asking.destroy(new Error(`no answer from ${url}`)));
    asking.on('error', reject).end();
  });
}

/** Where the consent page sends the browser back to. */
export function backTo(authorize: URL, answer: Readonly<Record<string, string>>): string {
  const { redirect_uri = '', state = '' } = Object.fromEntries(authorize.searchParams);
  const back = new URL(redirect_uri);
  for (const [name, value] of Object.entries({ state, ...answer })) back.searchParams.append(name, value);
  return back.href;
}

export interface Person {
  readonly folder: string;
  /** The pages that the browser saw, once each command is over. */
  readonly pages: Promise<Page>[];
  /** The address of the consent page that the browser was sent to last. */
  consent: URL | undefined;
  /** What the person does there; presses Allow unless a test says otherwise. */
  does: (authorize: URL) => Promise<Page> | undefined;
  wm(typed: readonly string[], setting?: WmSetting): Promise<Ran>;
  login(service: AuthService, ...more: string[]): Promise<Ran>;
  /** A login that does not succeed. */
  loginEnds(status: number, service: AuthService, ...more: string[]): Promise<Ran>;
  item(profile?: string): Promise<StoredTokens>;
  /** Every file in the folder, by its path below it. */
  files(): Promise<ReadonlyMap<string, string>>;
  /** What `profiles.json` holds. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into profiles of every version
  profiles(): Promise<{ readonly current: string; readonly profiles: any[] }>;
  /** Becomes someone new, with an empty folder. */
  enter(): Promise<void>;
  leave(): Promise<void>;
}

export type WmSetting = Omit<Setting, 'onOutput'>;

export const allow = (authorize: URL) => visit(backTo(authorize, { code: secrets.code }));

export async function makePerson(): Promise<Person> {
  const person = createPerson();
  await person.enter();
  return person;
}

/** `exit`: what each command must end with where the test does not say it. */
export function createPerson(exit?: number): Person {
  let folder = '';
  const login = (service: AuthService, more: readonly string[], setting: WmSetting = {}) =>
    person.wm(['login', '--auth-url', service.url, ...more], {
      // A test may give another by its flag.
      environment: { WM_CLIENT_ID: 'app é', WM_CLIENT_SECRET: secrets.clientSecret },
      ...setting,
    });
  const person: Person = {
    get folder() {
      return folder;
    },
    pages: [],
    consent: undefined,
    does: allow,
    async wm(typed, { environment = {}, input = '', world = {}, ...setting } = {}) {
      const own = { WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file', WM_DEBUG: '1', ...environment };
      const ran = await run(typed, {
        ...(exit === undefined ? {} : { exit }),
        ...setting,
        environment: own,
        input,
        world: {
          files: createFiles(own, process.platform, folder),
          browser: {
            async open(url) {
              person.consent = new URL(url);
              const page = person.does(person.consent);
              // What a browser meets after the listener is gone is no concern of the program's.
              page?.catch(() => {});
              if (page) person.pages.push(page);
              return true;
            },
          },
          ...world,
        },
      });
      await noSecrets(person, ran);
      return ran;
    },
    login: (service, ...more) => login(service, more),
    loginEnds: (ending, service, ...more) => login(service, more, { exit: ending }),
    item: async (profile = 'default') =>
      JSON.parse(await readFile(join(folder, 'tokens', `${profile}.json`), 'utf8')),
    async files() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      // Another command of the same person may just have put one file in the place of another.
      const read = async (path: string) =>
        [path.slice(folder.length + 1), await readFile(path, 'utf8').catch(() => '')] as const;
      return new Map(await Promise.all(paths.toSorted().map(read)));
    },
    profiles: async () => JSON.parse(await readFile(join(folder, 'profiles.json'), 'utf8')),
    async enter() {
      folder = await mkdtemp(join(tmpdir(), 'wm-login-'));
      Object.assign(person, { consent: undefined, does: allow });
      person.pages.length = 0;
    },
    leave: () => rm(folder, { recursive: true, force: true }),
  };
  return person;
}

async function noSecrets(person: Person, { output, errors }: Ran): Promise<void> {
  const otherFiles = [...(await person.files())].filter(([path]) => !/^tokens[/\\]/.test(path));
  for (const text of [output, errors, ...otherFiles.map(([, content]) => content)]) {
    assert.ok(!text.includes('canary'), text);
  }
}
