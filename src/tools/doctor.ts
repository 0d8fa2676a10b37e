// `wm doctor`: checks everything that could keep wm from working, and prints a remedy for each problem.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { userSettingsPath } from '#cli/settings/load-settings.ts';
import type { SettingsFile } from '#cli/settings/settings-file.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { Failure, toFailure } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import { accountCheck, storeCheck, tokenCheck } from './checks/account.ts';
import { type Finding, type Outcome, toOutcome } from './checks/finding.ts';
import {
  callbackCheck,
  leftoverCheck,
  permissionChecks,
  readOnlyCheck,
  versionCheck,
} from './checks/machine.ts';
import { networkChecks } from './checks/network.ts';
import { deliveriesCheck } from './checks/receiver-journal.ts';
import { stateCheck } from './checks/state.ts';

const columns: readonly Column<Finding>[] = [
  { title: 'check', cell: ({ check }) => check },
  {
    title: 'result',
    cell: ({ result }) => result,
    format: (finding, style) => ({ good: style.good, bad: style.bad, notice: style.notice })[finding.result],
  },
  { title: 'found', cell: ({ found }) => found },
  { title: 'remedy', cell: ({ remedy }) => remedy ?? '' },
];

export default command({
  changes: 'this machine',
  repairsSettings: true,
  examples: {
    'Find out why signing in does not work': 'wm doctor',
    'Fix problems without a prompt': 'wm doctor --fix --yes',
    'In a script: exit status 10 means that a check failed': 'wm doctor --json',
  },
  details: `wm doctor refreshes an expired token, sends one read request, and writes a probe to the token store and removes it. It
changes nothing else. --fix removes other users' access to wm's files, and temporary files that a killed wm left behind, after a
prompt. It keeps lock files, because a process may have them open. With --json, the output contains no secrets: you can add it to a ticket.`,
  flags: { fix: booleanFlag('Fix problems where no data can be lost, after a prompt, and check again') },
  async run({ flags }, context) {
    let findings = await runChecks(context);
    if (flags.fix && (await runFixes(context, findings))) findings = await runChecks(context);
    const raw = findings.map(({ fix, ...finding }) => (fix ? { ...finding, fix: fix.does } : finding));
    await context.report.asMessages().list({ columns, records: findings, raw });
    const failed = findings.filter(({ result }) => result === 'bad');
    if (failed.length > 0)
      throw new Failure('check_failed', {
        message: `${failed.length} of ${findings.length} checks failed: ${failed.map(({ check }) => check).join(', ')}`,
        hint: failed[0]?.remedy,
      });
  },
});

async function runChecks(context: Context): Promise<readonly Finding[]> {
  const run = async (
    check: string,
    find: (context: Context) => readonly Outcome[] | Promise<readonly Outcome[]>,
  ): Promise<readonly Finding[]> => {
    try {
      return (await find(context)).map((outcome) => ({ check, ...outcome }));
    } catch (error) {
      return [{ check, ...toOutcome(error) }];
    }
  };
  const account = [...(await run('account', accountCheck)), ...(await run('token store', storeCheck))];
  // After an earlier problem, the token check would only repeat it.
  const isBad = () => account.some(({ result }) => result === 'bad');
  if (!isBad()) account.push(...(await run('token', tokenCheck)));
  const findings = [
    ...(await run('versions', versionCheck)),
    ...(await run('settings', settingsCheck)),
    ...account,
    ...(await networkChecks(context, { hasToken: !isBad() })),
    ...(await run('callback port', callbackCheck)),
    ...(await run('permissions', permissionChecks)),
    ...(await run('leftovers', leftoverCheck)),
    ...(await run('read-only', readOnlyCheck)),
    ...(await run('state folder', stateCheck)),
    ...(await run('deliveries', deliveriesCheck)),
  ];
  // Several checks may fail for one reason. Print it once, preferably for the check that can fix it.
  return findings.filter(
    (finding, index) =>
      !findings.some(
        (otherFinding, otherIndex) =>
          otherFinding.found === finding.found &&
          (finding.fix ? otherFinding.fix && otherIndex < index : otherFinding.fix || otherIndex < index),
      ),
  );
}

/** Returns false if there is nothing to fix. */
async function runFixes({ report, confirm }: Context, findings: readonly Finding[]): Promise<boolean> {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  if (fixes.length === 0) {
    const isBad = findings.some(({ result }) => result === 'bad');
    await report.info(
      isBad ? '--fix cannot fix what the checks found: follow the remedies.' : '--fix has nothing to fix.',
    );
    return false;
  }
  for (const { does } of fixes) await report.warn(`To fix: ${does}`);
  await confirm(`Fix ${fixes.length === 1 ? 'this' : `these ${fixes.length}`}?`);
  for (const fix of fixes)
    try {
      await fix.run();
      await report.warn(`Done: ${fix.does}`);
    } catch (error) {
      await report.warn(`Failed: ${fix.does}: ${toFailure(error).sentence}`);
    }
  return true;
}

function settingsCheck({ settings, world }: Context): readonly Outcome[] {
  const { user, folder, failure } = settings;
  const files = [user, folder].filter((file) => file !== undefined);
  const problems = files.flatMap((file) =>
    file.problems.map(({ line, problem, hint }): Outcome => {
      return { result: 'bad', found: `${file.path}, line ${line}: ${problem}`, remedy: hint };
    }),
  );
  if (problems.length > 0) return problems;
  if (failure) throw failure;
  const found =
    files.length === 0 ? `none: ${userSettingsPath(world)} does not exist` : joinWithAnd(files.map(describe));
  return [{ result: 'good', found }];
}

function describe({ path, values, profiles }: SettingsFile): string {
  const profileCounts = [...profiles].map(
    ([name, profileValues]) => `${Object.keys(profileValues).length} for the profile ${name}`,
  );
  return `${path} (${[countOf(Object.keys(values).length, 'setting'), ...profileCounts].join(', ')})`;
}
