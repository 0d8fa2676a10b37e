// `wm batch`: sends many operations, up to 100 in one request, which the service runs as a job.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { valueFlag } from '#cli/flags/flag.ts';
import { printIfDryRun } from '#cli/send.ts';
import { batchOperations } from '#contract/batch-operation.ts';
import { identifier } from '#contract/identifier.ts';
import { Failure, usageError } from '#failure.ts';
import { findBaseUrl } from '#login/select-account.ts';
import { checkFirst, followJob, readJob } from './batches/follow-job.ts';
import { outcomeColumns, readOutcomes } from './batches/outcomes.ts';
import { readOperations } from './batches/read-operations.ts';
import { batchFailure, printOutcomes, runBatches, splitIntoRequests } from './batches/run-batches.ts';

export default command({
  changes: 'the service',
  sendsRequests: true,
  examples: {
    'Send the operations of a file': 'wm batch operations.ndjson --yes',
    'Show the requests without sending them': 'wm batch operations.ndjson --dry-run',
    'Send the operations that a program prints': `printf '{"method":"POST","path":"/folders/IEAAAAAQI4AB5FLD/tasks","parameters":{"title":"x"}}' | wm batch - --yes`,
  },
  details: `FILE is a JSON array of operations, or one operation on each line (NDJSON): {"method": "POST", "path": "/folders/ID/tasks",
"parameters": {"title": "..."}}. The contract shows batches that create tasks and folders; the service decides about other requests. A path
is below the base URL of the API: a URL, .., and the parameters access_token and method are invalid.

wm validates all operations before it sends the first. It sends up to 100 in one request, follows their job until it is done, and then
sends the next 100. For each operation it prints the outcome: done, failed (rejected by the service), unknown (sent, but without a
result) or not-sent. The exit status is 8 if some failed, and 9 if an outcome is unknown: wm never sends an operation twice.`,
  pipeColumns: outcomeColumns,
  arguments: { file: { help: 'the file with the operations; - reads standard input', optional: true } },
  flags: {
    job: valueFlag(identifier('JobId'), 'ID', 'Follow the job of an earlier batch instead of sending one'),
  },
  async run({ arguments: { file }, flags: { job: jobId } }, context) {
    if (file !== undefined && jobId !== undefined)
      throw usageError('FILE cannot be combined with --job', 'Give one of the two.');
    if (jobId !== undefined) return followEarlierJob(context, jobId);
    if (file === undefined)
      throw usageError('Missing: FILE', 'Give the file with the operations, or - for standard input.');
    const batch = await readOperations(context.world, file);
    const requests = splitIntoRequests(batch);
    const previews = requests.map((sent) => ({ path: {}, parameters: { operations: sent } }));
    if (await printIfDryRun(context, batchOperations.batch, previews)) return undefined;
    // Fail before the prompt if the user is not signed in.
    await context.session();
    const base = await findBaseUrl(context.world, context.account);
    await context.confirm(
      `Send ${countOf(batch.length, 'operation')} in ${countOf(requests.length, 'request')}${base === undefined ? '' : ` to ${new URL(base).host}`}?`,
    );
    await runBatches(context, batch);
    return undefined;
  },
});

async function followEarlierJob(context: Context, jobId: string): Promise<undefined> {
  const request = { path: { jobId }, parameters: {} };
  if (await printIfDryRun(context, batchOperations.getAsyncJob, [request])) return;
  const session = await context.session();
  const startedJob = await readJob(session, jobId);
  const outcomes = readOutcomes(await followJob(context, session, startedJob, 'Following'), 1);
  if (outcomes.length === 0)
    throw new Failure('outcome_unknown', {
      message: `Job ${jobId} does not report the outcome of its operations`,
      hint: checkFirst,
    });
  const failure = batchFailure(await printOutcomes(context, outcomes));
  if (failure) throw failure;
  return undefined;
}
