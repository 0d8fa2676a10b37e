// `wm contract probe`: finds out with GET requests which assumptions hold for the signed-in service.

import { resolve } from 'node:path';
import { createRateLimiter, rateLimitedHttp } from '#bulk/rate-limiter.ts';
import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { formatDuration } from '#cli/count-of.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { readInput } from '#cli/file-value.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { assertNewFile } from '#cli/new-file.ts';
import { createReadOnlySession } from '#client/read-only-session.ts';
import { isFromService, parseJsonObject } from '#client/response.ts';
import { type Assumption, assumptions } from '#contract/assumption.ts';
import { isJsonObject, parseJson } from '#contract/json.ts';
import { anyJson, list, number, object, optional, text, ValidationError } from '#contract/schema.ts';
import { commandHint, Failure, failWith, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { defaultMaxWaitMs, maxWaitFlag } from '#tasks/many/flags.ts';
import type { Column } from '#terminal/table.ts';
import {
  describeResponse,
  type Judgement,
  judgements,
  notSeen,
  type Verdict,
  whyNotShown,
} from './probing/assumption-judgements.ts';
import { type Ask, type Observation, observe, type Step } from './probing/probe-requests.ts';
import { Redaction } from './probing/redact-responses.ts';

const pipeColumns: readonly Column<Finding>[] = [
  { title: 'id', cell: ({ id }) => id },
  {
    title: 'result',
    cell: ({ verdict }) => verdict,
    format: (finding, style) =>
      ({ held: style.good, differs: style.notice, 'not seen': style.notice })[finding.verdict],
  },
  { title: 'about', cell: ({ about }) => about },
  { title: 'seen instead, or why not seen', cell: ({ why }) => why },
  { title: 'source', cell: ({ source }) => source },
];

const exchange = object('exchange', {
  step: text('step'),
  status: number('status'),
  body: optional(anyJson),
  /** Why the response is missing. */
  why: optional(text('why')),
});
const record = object('record of a probe', { version: number('version'), exchanges: list(exchange) });
type Exchange = ReturnType<typeof exchange.validate>;
const recordVersion = 1;

export default command({
  changes: 'nothing',
  examples: {
    'See which assumptions hold': 'wm contract probe',
    'Record the responses without your data': 'wm contract probe --record probe.json',
    "Judge another person's record": 'wm contract probe --replay probe.json',
  },
  details: `Sends some fifty GET requests and no others, and reports for each assumption whether it held, whether the service differs, or
why the responses do not show it. Many assumptions show only in a change, a delivery or a sign-in, which the probe does not cause. A
difference is not an error: wm accepts more than it assumes. --record omits tokens, names, titles, texts, amounts, dates and unknown
members, and replaces ids. Read the file before you share it. If a request fails in a way that would fail the others too, the probe
ends early: it judges the responses so far, and ends with the exit status of the failure.`,
  pipeColumns,
  flags: {
    record: textFlag('FILE', 'Also write the redacted responses to this file'),
    replay: {
      ...textFlag('FILE', 'Judge the responses in this file (- for standard input), and send nothing'),
      readsInput: true,
    },
    maxWait: {
      ...maxWaitFlag,
      help: 'Wait at most this long for a rate limit, then stop and judge the responses so far (default: 15m)',
    },
  },
  async run({ flags: { record: recordPath, replay, maxWait = defaultMaxWaitMs } }, context) {
    if (recordPath !== undefined && replay !== undefined)
      throw usageError('--record and --replay cannot be combined');
    if (recordPath !== undefined) await assertNewFile(context, '--record', recordPath);
    const exchanges: Exchange[] = [];
    const { ask, ending } =
      replay === undefined ? await askService(context, maxWait) : await askRecord(context, replay);
    const redaction = new Redaction();
    const observationOf = await observe(async (step, target) => {
      const { status, body, why } = await ask(step, target);
      exchanges.push({ step, status, ...omitUndefined({ body: body && redaction.redact(body), why }) });
      return { status, body, why };
    });
    const findings = judgeAll(observationOf);
    await context.report
      .asMessages()
      .list({ columns: pipeColumns, records: findings, raw: findings, mayBeLong: true });
    if (recordPath !== undefined) {
      const content = `${JSON.stringify({ version: recordVersion, exchanges }, null, 2)}\n`;
      await context.world.files
        .write(resolve(context.world.files.currentFolder, recordPath), content, { mode: 0o600 })
        .catch(failWith('other', `Cannot write ${recordPath}`));
    }
    const failure = ending();
    if (failure !== undefined) throw failure.with({ message: `The probe ended early: ${failure.message}` });
  },
});

/** Provides the responses. */
interface Source {
  readonly ask: Ask;
  /** Why the probe ended early, without sending the remaining requests. */
  readonly ending: () => Failure | undefined;
}

async function askService(context: Context, maxWaitMs: number): Promise<Source> {
  const { world, report } = context;
  const { http, clock } = world;
  const stop = new AbortController().signal;
  const rateLimiter = createRateLimiter(clock, { maxConcurrency: 1, maxWaitMs, stop });
  rateLimiter.onLongWait((milliseconds) => {
    void report.info(`Rate limit: waiting ${formatDuration(milliseconds)}`);
  });
  const commandSession = await createCommandSession(context, {
    http: () => rateLimitedHttp({ http, clock }, rateLimiter),
    rateLimitGiveUpReason: () =>
      rateLimiter.excessiveWaitMs === undefined
        ? undefined
        : `waiting it out would take ${formatDuration(rateLimiter.excessiveWaitMs)}, longer than --max-wait (${formatDuration(maxWaitMs)})`,
  });
  const session = createReadOnlySession(commandSession, {
    why: 'wm contract probe only reads',
    hint: 'This is a bug in wm.',
  });
  let responses = 0;
  let ending: Failure | undefined;
  const send = async (target: string): Promise<Observation> => {
    await rateLimiter.acquire();
    const sending = session.sendRaw({ method: 'GET', target, headers: {}, effect: 'GET' });
    const outcome = await sending
      .catch((error: unknown) => {
        // One failing endpoint says nothing about the others.
        if (responses > 0 && error instanceof Failure && (error.httpStatus ?? 0) >= 500) return error;
        throw error;
      })
      .finally(() => rateLimiter.release());
    if (outcome instanceof Failure) return { status: outcome.httpStatus ?? 0 };
    const { response, failure } = outcome;
    if (failure?.code === 'sign_in_needed') throw failure;
    const body = parseJsonObject(response);
    if (responses === 0 && !isFromService(response, 'GET')) throw notFromService(response.status);
    responses++;
    return { status: response.status, body };
  };
  const ask: Ask = async (_, target) => {
    if (typeof target !== 'string') return { status: 0, why: target.why };
    if (ending === undefined)
      try {
        return await send(target);
      } catch (error) {
        // Without any response, there is nothing to judge.
        if (responses === 0 || !(error instanceof Failure)) throw error;
        ending = error;
      }
    // Written to the record, so it quotes nothing from the service.
    const cause = ending.code === 'rate_limited' ? 'rate limit' : 'a request failed';
    return { status: 0, why: `not sent: the probe ended early (${cause})` };
  };
  return { ask, ending: () => ending };
}

function notFromService(status: number): Failure {
  return new Failure('bad_response', {
    message: 'The response is not from the service, so nothing was judged',
    why: `the response to GET /account has status ${status} and is not JSON of the service`,
    hint: commandHint('Check the host: ', 'wm doctor'),
    httpStatus: status,
  });
}

async function askRecord({ world }: Context, path: string): Promise<Source> {
  const bytes = await readInput(world, path, '--replay', 16 * 1024 * 1024);
  const source = path === '-' ? 'standard input' : path;
  if (bytes.length === 0) throw usageError(`--replay: ${source} is empty`);
  const { exchanges } = readRecord(source, new TextDecoder().decode(bytes));
  const ask: Ask = async (step) => {
    const recorded = exchanges.find((exchange) => exchange.step === step);
    // An older record lacks the requests of a newer wm.
    return {
      status: recorded?.status ?? 0,
      body: isJsonObject(recorded?.body) ? recorded.body : undefined,
      why: recorded?.why,
    };
  };
  return { ask, ending: () => undefined };
}

function readRecord(path: string, content: string): ReturnType<typeof record.validate> {
  try {
    return record.validate(parseJson(content));
  } catch (error) {
    if (!(error instanceof ValidationError || error instanceof SyntaxError)) throw error;
    throw usageError(`--replay: ${path} is not a record of wm contract probe: ${error.message}`);
  }
}

type Finding = Verdict & Pick<Assumption, 'id' | 'about' | 'assumed' | 'source'>;

/** Why an assumption cannot be judged by this response; undefined if it can. */
function whyNotSeen({ status, body, why }: Observation): string | undefined {
  if (why !== undefined) return why;
  if (status === 0) return 'the record does not contain it';
  if (status >= 500) return `the service responded with ${status}`;
  if (body === undefined) return `the response is not JSON of the service (${status})`;
  return undefined;
}

function judge({ from, judge, judges }: Judgement, observationOf: (step: Step) => Observation): Verdict {
  const observations = from.map(observationOf);
  for (const observation of observations) {
    const why =
      judges === 'every status' && observation.status !== 0 && observation.status < 500
        ? undefined
        : whyNotSeen(observation);
    if (why !== undefined) return notSeen(why);
    if (observation.status === 403 && judges === undefined)
      return notSeen(`the user or the token may not read it (${describeResponse(observation)})`);
  }
  return judge(...observations);
}

function judgeAll(observationOf: (step: Step) => Observation): readonly Finding[] {
  return assumptions.map(({ id, about, assumed, source }) => {
    const row = judgements[id];
    const verdict = row ? judge(row, observationOf) : notSeen(whyNotShown.get(id) ?? '');
    return { id, about, assumed, source, ...verdict };
  });
}
