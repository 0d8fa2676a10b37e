// `wm login` as a script drives it, in two steps or one, over an earlier sign-in in the same store or another; and `wm logout`. After
// each the power goes. It holds:
// - Who reads "Signed in" is signed in so, and nothing of the earlier sign-in is left, unless a warning says so.
// - A login that fails leaves the earlier sign-in as it was, or says that it could not.
// - A login that dies leaves one of the two whole.
// - A refresh beside a login does not bring the earlier sign-in back.
// - After "Signed out" nothing secret is on the disk or in the keychain; a logout that failed can be repeated.
// Not held: the name of a file survives a power cut if the sync of its folder failed (docs/decisions/whole-files.md); and logout looks
// in the keychain although the note that a killed login stored tokens there could not be written.

import { noon } from '#test/support/clock.ts';
import { hold } from './events.ts';
import type { Machine, Run } from './machine.ts';
import { secretIn } from './renewal.ts';
import { application, profile, TokenService } from './token-service.ts';

const folder = '/home/.config/wm';
const file = `${folder}/tokens/default.json`;
const settings = ['--auth-url', profile.authUrl, '--client-id', application.clientId, '--profile', 'default'];

type Kind = 'file' | 'keychain';

export async function login(machine: Machine): Promise<void> {
  const { simulation, fates, disk, keychain } = machine;
  const { random } = simulation;
  const earlier = fates.isPlanned
    ? 'keychain'
    : random.one<Kind | undefined>(['file', 'keychain', undefined]);
  const kind = fates.isPlanned ? 'file' : random.one<Kind>(['file', 'keychain']);
  const isSmall = fates.isPlanned || random.chance(0.5);
  if (isSmall) machine.keychainLimit = 1280;
  // So that a refresh may begin while a sign-in is being stored.
  if (!fates.isPlanned) disk.syncMs = 40;
  const service = new TokenService(machine, isSmall ? 700 : 0);
  await service.open();
  if (earlier) {
    const text = JSON.stringify(service.signIn());
    if (earlier === 'file') disk.put(file, text);
    else keychain.set('default', text);
    const profiles = [{ ...profile, store: earlier }];
    disk.put(`${folder}/profiles.json`, JSON.stringify({ current: 'default', profiles }));
  }
  // Said today: short runs.
  disk.put('/home/.local/state/wm/said.json', JSON.stringify({ [`tokens in ${folder}/tokens`]: noon }));
  const listed = (): readonly { readonly store: Kind }[] =>
    JSON.parse(disk.text(`${folder}/profiles.json`) ?? '{"profiles":[]}').profiles;
  /** The number of the sign-in that works. */
  const current = () => {
    const store = listed()[0]?.store;
    return store && service.accepts(store === 'file' ? disk.text(file) : secretIn(keychain));
  };
  const secrets = () =>
    [...disk.texts()]
      .map(([, text]) => text)
      .concat(...keychain.values())
      .flatMap((text) => /canary-\w+-[\d.]*/.exec(text) ?? []);
  const cutPower = () => {
    if (fates.isPlanned || random.chance(0.7)) machine.cutPower('power cut, lost');
  };

  fates.isHarsh = true;
  const hasOther = !fates.isPlanned && random.chance(0.5);
  const other = hasOther
    ? simulation.pass(random.next() * 700).then(() => machine.wm(['whoami']).ended)
    : undefined;
  const run = await signIn(machine, service, kind);
  const status = await run.ended;
  await other;
  await machine.settled();
  fates.isHarsh = false;
  await simulation.pass(60_000);
  cutPower();
  const about = `${status} ${run.errors}`;
  const isSignedIn = /Signed in \(profile/.test(run.errors);
  const isKept = !/nor take back its new tokens/.test(run.errors);
  const refreshMayBeLost = service.hasFailed || (hasOther && fates.struck.length > 0);
  if (status === 0) hold(isSignedIn, `It says what it did: ${about}`);
  if (fates.struck.length === 0 && !service.hasFailed)
    hold(status === 0, `Without harm it signs in: ${about}`);
  const isUnsynced = fates.struck.some(
    ({ step, blow }) => /fsync .*(?:wm|tokens)$/.test(step.name) && /^E/.test(blow),
  );
  if (isSignedIn) {
    hold(isUnsynced || current() === service.signIns, `Who reads it is signed in: ${current()}, ${about}`);
    const pending = [...disk.names(`${folder}/tokens`), ...keychain.keys()].filter((name) =>
      /^\.pending/.test(name),
    );
    const others = secrets().filter((name) => /\d/.test(name) && !name.includes(`-${service.signIns}.`));
    const isNamed = /are still in/.test(run.errors) || status === 137;
    hold(
      isUnsynced || isNamed || others.concat(pending).length === 0,
      `Nothing else is left: ${others} ${pending}, ${about}`,
    );
  } else if (status !== 137) {
    if (earlier)
      hold(
        refreshMayBeLost || !isKept || current() === 1,
        `The earlier sign-in is as it was: ${current()}, ${about}`,
      );
    else hold(!isKept || listed().length === 0, `Nobody is signed in: ${about}`);
  }
  const check = machine.wm(['whoami']);
  const isIn = (await check.ended) === 0;
  await machine.settled();
  hold(
    isIn || refreshMayBeLost || isUnsynced || !(earlier || isSignedIn),
    `One sign-in works: ${check.errors} after ${about}`,
  );

  fates.isHarsh = true;
  let left = machine.wm(['logout', '--yes']);
  await left.ended;
  await machine.settled();
  fates.isHarsh = false;
  cutPower();
  for (let repeats = 0; repeats < 2 && !/Signed out/.test(left.errors); repeats++) {
    left = machine.wm(['logout', '--yes']);
    hold([0, 5].includes(await left.ended), `A failed logout can be repeated: ${left.errors}`);
    cutPower();
  }
  const found = secrets();
  const isUnnoted = fates.struck.some(
    ({ step, blow }) => /keychain-default/.test(step.name) && /^E/.test(blow),
  );
  hold(isUnnoted || found.length === 0, `Nothing secret is left: ${found}, ${left.errors}, after ${about}`);
}

/** Returns the last command of it. */
async function signIn(machine: Machine, service: TokenService, kind: Kind): Promise<Run> {
  const { simulation, fates, network } = machine;
  const environment = { WM_CLIENT_SECRET: application.clientSecret };
  if (fates.isPlanned || simulation.random.chance(0.6)) {
    const start = machine.wm(['login', '--start', ...settings, '--store', kind], environment);
    if ((await start.ended) !== 0) return start;
    const landing = service.landingUrl(start.output.trim());
    return machine.wm(['login', '--complete', '--profile', 'default', '--store', kind], {}, `${landing}\n`);
  }
  const run = machine.wm(['login', '--no-browser', ...settings, '--store', kind], environment);
  const url = () => /http\S+authorize\S+/.exec(run.errors)?.[0];
  while (url() === undefined && run.process.isAlive) await simulation.pass(100);
  const request = { method: 'GET', url: service.landingUrl(url() ?? profile.authUrl), headers: {} };
  if (run.process.isAlive)
    void network.httpFor(undefined).send(request, { timeoutMs: 60_000, maxBytes: 1e6 });
  return run;
}
