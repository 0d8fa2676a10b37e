// The thread that runs jq for jq.ts. Ending the thread ends an endless filter, and Ctrl-C works meanwhile. A filter cannot read
// the environment or files: jq is WebAssembly, and sees only what it is sent.

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { parentPort, workerData } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';
import wasmFile from 'jq-wasm/jq.wasm';
import type { JqResults } from './world.ts';

/** jq's exit status for a filter that does not compile. */
const cannotCompile = 3;

// Precede each filter: what needs all documents at once is an error or ends only the current one, and no filter can name the files
// and variables of this sandbox.
const definitions = [
  '{} as $ENV',
  'label $wm_halt',
  [
    'def halt: break $wm_halt;',
    'def halt_error: error;',
    'def halt_error($status): error;',
    'def env: error("env: a filter of --jq gets no environment");',
    'def input: error("--jq gets one document at a time, so this is the only input");',
    'def inputs: input;',
    'def input_filename: null;',
    'def get_search_list: [];',
  ].join(' '),
].join(' | ');

/** Returns the error in one line: jq also draws the filter with a mark below it. */
function firstError(stderr: string): string {
  const [, first = stderr] = /^jq: error: ([^\n]*)/m.exec(stderr) ?? [];
  return first.replace(/ at <top-level>, /, ' at ').replace(/:$/, '');
}

/** Splits what a run wrote to stderr: the messages of `debug` and `stderr`, and the first error. */
function splitMessages(stderr: string): Partial<JqResults> {
  const errorIndex = stderr.search(/^jq: (?:parse )?error/m);
  if (errorIndex === -1) return { notes: stderr };
  const [first = ''] = stderr.slice(errorIndex).split(/\n(?=jq: error)/);
  return {
    notes: stderr.slice(0, errorIndex).trimEnd(),
    isInvalidJson: first.startsWith('jq: parse error'),
    error: first.replace(/^jq: (?:parse )?error(?: \([^)]*\))*:? ?/, ''),
  };
}

/** Returns JSON, or a string as it is. */
function toLine(line: string, standIns: StandIns): string {
  return line.startsWith('"')
    ? standIns.replace(String(JSON.parse(line)), () => '\ufffd')
    : standIns.replace(line, (half) => `\\u${half.toString(16)}`);
}

/** Where the stand-ins begin: private characters, one for each half of a surrogate pair. */
const firstStandIn = 0x100000;
const standIn = /[\u{100000}-\u{1007ff}]/gu;
const firstHalf = 0xd800;

interface StandIns {
  readonly documents: string;
  replace(text: string, shown: (half: number) => string): string;
}

/** Replaces halves of surrogate pairs, which jq cannot read, by stand-ins; by U+FFFD if the documents contain those. */
function replaceHalves(documents: string): StandIns {
  const isTaken = documents.search(standIn) !== -1;
  let hasHalf = false;
  const replaced = documents.replace(/\\(?:u(d[89a-f][\da-f]{2})|.)/gs, (escaped, half?: string) => {
    if (half === undefined) return escaped;
    hasHalf = true;
    return isTaken ? '\ufffd' : String.fromCodePoint(Number.parseInt(half, 16) - firstHalf + firstStandIn);
  });
  return {
    documents: replaced,
    replace: (text, shown) =>
      hasHalf && !isTaken
        ? text.replace(standIn, (character) =>
            shown((character.codePointAt(0) ?? 0) - firstStandIn + firstHalf),
          )
        : text,
  };
}

/** jq aborts only when it runs out of memory. WebAssembly cannot continue after its own error. */
function whyEnded(error: unknown): string {
  const text = String(error);
  return /\bAborted\(/.test(text) ? 'it ran out of memory' : `jq ended early: ${text}`;
}

const noResults: JqResults = {
  lines: [],
  notes: '',
  error: undefined,
  isInvalidJson: false,
  hasEnded: false,
};

interface Start {
  readonly filter: string;
  readonly variables: readonly (readonly [name: string, text: string])[];
}

/** Replies to the start, with the error of an invalid filter, and to each message of documents. */
async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const { filter, variables }: Start = workerData;
  const flags = ['-c', ...variables.flatMap((pair) => ['--arg', ...pair]), '--'];
  // The build puts it beside this file, or into a single executable.
  const wasm = isSea()
    ? new Uint8Array(getAsset(basename(wasmFile)))
    : await readFile(join(__dirname, wasmFile));
  const jq = await loadJq({ wasmBinary: wasm });
  const run = (documents: string, program: string) => jq.raw(documents, program, flags);
  const program = `${definitions} ${filter}`;
  // Compile the filter by itself first, so that errors show its own lines and columns.
  const invalid = [filter, program]
    .map((text) => run('', text))
    .find(({ exitCode }) => exitCode === cannotCompile);
  port.postMessage({ ...noResults, error: invalid && firstError(invalid.stderr) });
  port.on('message', (documents: string) => {
    try {
      const standIns = replaceHalves(documents);
      const { stdout, stderr } = run(standIns.documents, program);
      // Empty output has no lines; otherwise the last line has no line end.
      const lines = stdout === '' ? [] : stdout.split('\n').map((line) => toLine(line, standIns));
      port.postMessage({ ...noResults, lines, ...splitMessages(stderr) });
    } catch (error) {
      port.postMessage({ ...noResults, error: whyEnded(error), hasEnded: true });
    }
  });
}

if (parentPort) void serve(parentPort);
