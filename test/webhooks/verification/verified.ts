// Runs `wm webhook verify` against an emulator on this machine and reads its results.

import assert from 'node:assert/strict';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { type Emulated, type Ending, emulated } from '#test/support/program/emulated.ts';
import type { CheckResult } from '#webhooks/verification/check-result.ts';
import type { World } from '#world/world.ts';
import { secret } from './receivers.ts';

export interface Verified {
  readonly status: number;
  readonly results: readonly CheckResult[];
  readonly errors: string;
  /** By the name of the check, or its beginning. */
  of(check: string): CheckResult;
  /** Why it has that outcome. */
  why(check: string): string;
  /** The first that failed: what and why. */
  readonly cause: string;
}

export type VerifySetting = {
  readonly secret?: string | undefined;
  readonly world?: Partial<World>;
  readonly environment?: Readonly<Record<string, string>>;
};

export interface Verifying extends Emulated {
  verify(argv: readonly string[], setting?: VerifySetting): Promise<Verified>;
  /** The id of a new webhook. */
  create(url: string, argv?: readonly string[], secret?: string): Promise<string>;
}

export async function verifying(test: Ending, options: EmulatorOptions = {}): Promise<Verifying> {
  const service = await emulated(test, { allowLocalHooks: true, ...options });
  const withSecret = (key: string | undefined): Readonly<Record<string, string>> =>
    key === undefined ? {} : { WM_WEBHOOK_SECRET: key };
  return {
    ...service,
    async verify(argv, setting = {}) {
      const key = 'secret' in setting ? setting.secret : secret;
      // Nothing is too slow on a busy machine, unless a test says what is.
      const within = argv.includes('--within') ? [] : ['--within', '300'];
      const ran = await service.wm(['webhook', 'verify', ...argv, ...within, '--json'], {
        environment: { ...withSecret(key), ...setting.environment },
        ...(setting.world ? { world: setting.world } : {}),
      });
      assert.ok([0, 10].includes(ran.status), ran.errors);
      const results: readonly CheckResult[] = JSON.parse(ran.output);
      const failed = results.find(({ outcome }) => outcome === 'fail');
      assert.equal(ran.status, failed ? 10 : 0);
      const of = (check: string) => {
        const match = results.find((result) => result.check.startsWith(check));
        assert.ok(match, `${check} is not among ${results.map((result) => result.check).join(', ')}`);
        return match;
      };
      return {
        status: ran.status,
        results,
        errors: ran.errors,
        of,
        why: (check) => of(check).why ?? '',
        cause: failed ? `${failed.check}: ${failed.why}` : '',
      };
    },
    async create(url, argv = [], key) {
      const made = await service.wm(['webhook', 'create', url, ...argv, '--json'], {
        environment: withSecret(key),
      });
      assert.equal(made.status, 0, made.errors);
      return JSON.parse(made.output).id;
    },
  };
}
