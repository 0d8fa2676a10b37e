// A cluster with a sink, receivers and forwarders on it, and a program behind them, for one test.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { sign } from '#contract/signature.ts';
import { startTarget as startPlainTarget } from '#test/receiver/listen/running-listener.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { untilFound, within } from './bounded.ts';
import { type ClusterOptions, type NatsCluster, startCluster } from './nats-cluster.ts';
import { paste, type RunningWm, run, secret, wm } from './running-wm.ts';

export type Trial = Awaited<ReturnType<typeof startTrial>>;

/** `prepare`: before the sink is created; gives more flags for that. */
export async function startTrial(
  t: Pick<TestContext, 'after' | 'signal'>,
  options: Omit<ClusterOptions, 'folder'> = {},
  creating: readonly string[] = ['--partitions', '8'],
  environment: Readonly<Record<string, string>> = {},
  prepare: (home: string) => Promise<readonly string[]> = async () => [],
) {
  const home = await mkdtemp(join(tmpdir(), 'wm-sink-'));
  const running: RunningWm[] = [];
  let cluster: NatsCluster | undefined;
  let isOver = false;
  t.after(async () => {
    isOver = true;
    await Promise.all(running.map((program) => program.kill()));
    await cluster?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  cluster = await startCluster({ folder: home, ...options });
  const servers = cluster;
  const said = () => {
    const printed = running.map((program) => `${program.output()}${program.errors()}`);
    return [...printed, ...servers.nodes.map((node) => node.log())].map(lastLines).join('\n--\n');
  };
  t.signal.addEventListener('abort', () => {
    if (!isOver) process.stderr.write(said());
  });
  const place = { home, environment };
  const sink = `nats://${cluster.addresses}/TRIAL`;
  /** Nothing may outlive the test, not even what a test without time left still starts. */
  const keep = async <T extends RunningWm>(program: T): Promise<T> => {
    running.push(program);
    if (!isOver) return program;
    await program.kill();
    throw new Error('The test is over');
  };
  /** Runs until the test ends it, from when it says that it is ready. */
  const runs = async (ready: RegExp, ...words: readonly string[]) =>
    keep(await run(['webhook', ...words], ready, place));
  /** What may be repeated is run again if it found no quorum though all servers run: they choose a leader after a start, and a stand. */
  const runWm = async (...words: readonly string[]) => {
    for (;;) {
      const start = performance.now();
      const ended = await wm(words, place);
      const tookMs = performance.now() - start;
      const isElection = ended.status === 7 && tookMs >= leastTryMs;
      const areMeantToRun = servers.nodes.every((node) => node.isMeantToRun());
      if (!isElection || !areMeantToRun || !isRepeatable(words)) return ended;
    }
  };
  const created = await runWm('webhook', 'sink', 'create', sink, ...creating, ...(await prepare(home)));
  assert.equal(created.status, 0, created.errors);
  return {
    cluster,
    home,
    /** The URL of the sink on all servers. */
    sink,
    /** The same on one of them. */
    sinkOn: (node: number) => `nats://${cluster.nodes[node]?.address}/TRIAL`,
    /** The last that programs and servers have printed. */
    said,
    wm: runWm,
    runs,
    log: (...words: readonly string[]) => runWm('webhook', 'log', '--sink', sink, ...words),
    /** Ends with this status and these errors. */
    async ends(status: number, errors: RegExp, ...words: readonly string[]) {
      const ended = await runWm('webhook', ...words);
      assert.equal(ended.status, status, ended.errors);
      assert.match(ended.errors, errors);
      return ended;
    },
    paste: (line: string) => paste(line, place),
    /** `on`: the URL of the sink, by default on all servers. */
    async listen(on = sink, ...words: readonly string[]) {
      const port = await freePort();
      const all = ['listen', '--port', String(port), '--sink', on, ...words];
      return { ...(await runs(new RegExp(`:${port}`), ...all)), port };
    },
    async forward(url: string, ...words: readonly string[]) {
      const on = words.includes('--sink') ? [] : ['--sink', sink];
      return runs(/Forwarding from/, 'forward', ...on, '--forward-to', url, ...words);
    },
  };
}

/** With a receiver and a target. */
export async function startWholeTrial(...given: Parameters<typeof startTrial>) {
  const trial = await startTrial(...given);
  return { trial, target: await startTarget(given[0]), receiver: await trial.listen() };
}

/** The same on one server, with few partitions. */
export const startSmallTrial = (t: Pick<TestContext, 'after' | 'signal'>) =>
  startWholeTrial(t, { count: 1 }, ['--partitions', '2']);

export interface Sent {
  readonly key: string;
  readonly task?: string;
  readonly title?: string;
}

const isRepeatable = ([, noun, verb = '']: readonly string[]) =>
  noun === 'log' || (noun === 'sink' && ['check', 'create'].includes(verb));

const lastLines = (text: string) => text.split('\n').slice(-20).join('\n');

/** As long as servers do not respond, a receiver tries by itself, and responds with 503 only then: a 503 at once is none of these. */
const leastTryMs = 5_000;

/**
 * Resolves once it is stored. Usually that is the first response. But servers that stood still for some seconds with the machine
 * choose a leader first, and meanwhile the service gets 503 and sends again. `isOutage`: 503 at once is right too.
 */
export async function store(port: number, sent: Sent, isOutage = false): Promise<void> {
  const statuses: (number | undefined)[] = [];
  const look = async () => {
    const start = performance.now();
    const status = await deliver(port, sent);
    if (status === 200) return true;
    statuses.push(status);
    const tookMs = Math.round(performance.now() - start);
    // A receiver that stood still too has closed the connection.
    const isElection = (status === 503 || status === undefined) && tookMs >= leastTryMs;
    assert.ok(isOutage || isElection, `${status} for ${sent.key} after ${tookMs} ms`);
    return undefined;
  };
  await untilFound(`${sent.key} is stored`, look, () => `Other responses: ${statuses}`);
}

/** During an outage and after it. */
export const deliverUntil = (port: number, sent: Sent) => store(port, sent, true);

/** The status of the response; `undefined` if there was none. */
export function deliver(
  port: number,
  { key, task = 'IEAAAAAQKQAAAAAA', title = key }: Sent,
): Promise<number | undefined> {
  const body = JSON.stringify([
    { webhookId: 'IEAAAAAQQQQQQQQQ', eventType: 'TaskTitleChanged', taskId: task, title },
  ]);
  const headers = { 'X-Hook-Signature': sign(secret, body), 'Idempotency-Key': key };
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      resolve(response.resume().statusCode);
    });
    sent.on('error', () => resolve(undefined)).end(body);
  });
}

/** A program behind forwarders: see {@link startPlainTarget}. */
export async function startTarget(t: Pick<TestContext, 'after'>) {
  const target = await startPlainTarget(t);
  const keys = () => target.received.map(({ headers }) => String(headers['idempotency-key']));
  const until = (what: string, reached: () => boolean, lacking = () => '') =>
    within(
      what,
      target.until(reached),
      () => `It got ${keys().length}, at last ${keys().slice(-20).join(' ')}${lacking()}`,
    );
  return {
    ...target,
    /** Of what came, in this order. */
    get keys() {
      return keys();
    },
    get headers() {
      return target.received.map(({ headers }) => headers);
    },
    until: (reached: () => boolean) => until(`the target gets what it should: ${reached}`, reached),
    /** Resolves once each of them came. */
    untilHas(expected: readonly string[]) {
      const missing = () => {
        const had = new Set(keys());
        return expected.filter((key) => !had.has(key));
      };
      const lacking = () => ` without ${missing().join(' ')}`;
      return until('the target gets all', () => missing().length === 0, lacking);
    },
  };
}
