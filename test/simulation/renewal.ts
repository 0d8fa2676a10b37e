// Several commands at once with an expired access token, each with its helper. The service takes a refresh token once. It holds:
// - Without harm, one refresh serves all, and everybody gets in.
// - A sign-in is lost only by a lost response, or by the death of a helper or a power cut. The user reads that it was lost, again and
//   again, and what was stored is kept.
// - What is stored whole, in any file beside the tokens, is found again.
// - A command whose helper dies gets in, or reads that the sign-in was lost.
// - Who waited for a process that stands still reads how to continue it, and it stores what it has.
// - If somebody deletes the lock file, commands may have to be run again, but no sign-in is lost.
// - A calm refresh leaves nothing beside the tokens.
// - A new sign-in cures it, and the store then holds what the service accepts.

import { noon } from '#test/support/clock.ts';
import { hold } from './events.ts';
import { isDeath, isPowerCut } from './fates.ts';
import type { Machine, Run } from './machine.ts';
import { profile, TokenService } from './token-service.ts';

const folder = '/home/.config/wm';
const file = `${folder}/tokens/default.json`;

export async function renewal(machine: Machine): Promise<void> {
  const { simulation, fates, disk, keychain } = machine;
  const { random } = simulation;
  const store = random.chance(0.7) || fates.isPlanned ? 'file' : 'keychain';
  const isSmall = store === 'keychain' && random.chance(0.6);
  if (isSmall) machine.keychainLimit = 1280;
  disk.put(
    `${folder}/profiles.json`,
    JSON.stringify({ current: 'default', profiles: [{ ...profile, store }] }),
  );
  // Said today: planned runs are short.
  if (fates.isPlanned)
    disk.put('/home/.local/state/wm/said.json', JSON.stringify({ [`tokens in ${folder}/tokens`]: noon }));
  const service = new TokenService(machine, isSmall ? 700 : 0);
  await service.open();
  const whoami = () => machine.wm(['whoami'], { WM_TOKEN_STORE: store });
  const stored = () => (store === 'file' ? disk.text(file) : secretIn(keychain)) ?? '';
  const signIn = () => {
    const text = JSON.stringify(service.signIn());
    if (store === 'file') disk.put(file, text);
    else keychain.set('default', text);
  };
  signIn();
  fates.mayFreeze = true;
  for (let round = fates.isPlanned ? 1 : 1 + random.below(4); round > 0; round--) {
    const [before, rotations] = [fates.struck.length, service.rotations];
    fates.isHarsh = true;
    const isLockDeleted = !fates.isPlanned && random.chance(0.2);
    if (isLockDeleted)
      simulation.after(random.next() * 200, () => disk.remove(`${folder}/locks/default.lock`));
    const runs: Run[] = [];
    for (let left = fates.isPlanned ? 2 : 1 + random.below(5); left > 0; left--) {
      runs.push(whoami());
      if (random.chance(0.5)) await simulation.pass(random.next() * 60);
    }
    await Promise.all(runs.map(({ ended }) => ended));
    await machine.settled();
    fates.isHarsh = false;
    // What a dead process has sent may still arrive.
    await simulation.pass(60_000);
    const strikes = fates.struck.slice(before);
    const isHarmed = strikes.length > 0 || service.hasFailed || isLockDeleted;
    const helperDeaths = strikes.filter(({ step, blow }) => isDeath(blow) && step.name.startsWith('helper'));
    const mayBeLost =
      service.hasFailed ||
      helperDeaths.length > 0 ||
      strikes.some(({ blow }) => isPowerCut(blow) || blow === 'response lost');
    const isOnlyDeadly =
      !isLockDeleted && strikes.every(({ blow }) => isDeath(blow)) && helperDeaths.length < 3;
    const isOnlyFrozen = !isLockDeleted && strikes.every(({ blow }) => blow === 'freezes');
    for (const { ended, output, errors } of runs) {
      const status = await ended;
      if (status === 0) hold(/Ada/.test(output), `Who gets in reads the name: ${output}`);
      else if (!service.hasFailed && status !== 137) {
        hold(isHarmed, `Without harm everybody gets in: ${status} ${errors}`);
        if (isOnlyDeadly)
          hold(/was lost/.test(errors), `The death of a helper is no failure: ${status} ${errors}`);
        if (isOnlyFrozen) hold(/kill -CONT \d/.test(errors), `Who waits reads for whom: ${status} ${errors}`);
      }
    }
    if (!isHarmed)
      hold(service.rotations === rotations + 1, `One refresh serves all: ${service.rotations - rotations}`);
    const copies = disk
      .names(`${folder}/tokens`)
      .filter((name) => service.accepts(disk.text(`${folder}/tokens/${name}`)));
    const rotationsBefore = service.rotations;
    const item = stored();
    for (let again = 0; again < 2; again++) {
      const last = whoami();
      const status = await last.ended;
      await machine.settled();
      if (status === 0) break;
      const about = `${status} ${last.errors}`;
      hold(mayBeLost, `A sign-in is lost only by a lost response or a death: ${about}`);
      hold(/was lost/.test(last.errors), `The user reads that the sign-in was lost: ${about}`);
      hold(copies.length === 0, `What is stored whole is found: ${copies} ${about}`);
      hold(!service.accepts(item), `A stored token that the service accepts is used: ${about}`);
      hold(stored() === item, `What was stored is kept: ${about}`);
      if (again === 0) continue;
      signIn();
      disk.remove(`${folder}/renewals`);
      const cured = whoami();
      hold((await cured.ended) === 0, `A new sign-in cures it: ${cured.errors}`);
      await machine.settled();
    }
    if (service.rotations > rotationsBefore) {
      const left = [...disk.names(`${folder}/tokens`), ...disk.names(`${folder}/renewals`)];
      hold(
        left.every((name) => name === 'default.json') && left.length < 2,
        `A refresh leaves nothing: ${left}`,
      );
    }
    hold(service.accepts(stored()) !== undefined, `The store holds what the service accepts: ${stored()}`);
    service.hasFailed = false;
    // As long as an access token is valid.
    await simulation.pass(3_600_000);
  }
}

/** The tokens in the keychain, joined if an item is too small for them. */
export function secretIn(keychain: ReadonlyMap<string, string>): string | undefined {
  const text = keychain.get('default');
  const [, slot, count] = /^in parts: (\d) (\d+) /.exec(text ?? '') ?? [];
  if (count === undefined) return text;
  return Array.from({ length: Number(count) }, (_, part) => keychain.get(`default#${slot}.${part}`)).join('');
}
