// Reads a trace of system calls (`strace -f -yy`) of a receiver, and says which 2xx left before an fdatasync that covers their
// delivery had ended. A delivery is found by its key, which stands in the request that is read and in what is written to the file.

export interface SyncTrace {
  /** The keys whose 2xx left in time. */
  readonly covered: readonly string[];
  /** The keys whose 2xx left too early. */
  readonly early: readonly string[];
  /** Syncs that ended, of files that a key was written to. */
  readonly syncs: number;
}

interface Call {
  readonly name: string;
  /** What is in the parentheses, as far as it is known at the start. */
  readonly text: string;
}

/** A line when a call begins, when it ends, or both. */
interface Step {
  readonly call: Call;
  readonly begins: boolean;
  /** What it returned. */
  readonly result?: string;
}

/** `key`: matches the key of a delivery. */
export function readSyncTrace(trace: string, key: RegExp): SyncTrace {
  const written = new Map<string, Set<string>>();
  const synced = new Set<string>();
  const lastRead = new Map<string, string>();
  const covered: string[] = [];
  const early: string[] = [];
  const coverage = new Map<Call, readonly string[]>();
  let syncs = 0;
  const keysOf = (text: string) => text.match(new RegExp(key, 'g')) ?? [];
  for (const { call, begins, result } of stepsOf(trace)) {
    const file = /^\d+<(.*?)>(?:,|\)|$)/.exec(call.text)?.[1] ?? '';
    const isSocket = file.startsWith('TCP');
    if (begins && isWrite(call.name) && isSocket && /"HTTP\/1\.1 2\d\d/.test(call.text)) {
      const answered = lastRead.get(file) ?? 'no request';
      (synced.has(answered) ? covered : early).push(answered);
    }
    if (begins && isSync(call.name)) coverage.set(call, [...(written.get(file) ?? [])]);
    if (result === undefined || result.startsWith('-1')) continue;
    if (isSocket && isRead(call.name)) for (const found of keysOf(call.text)) lastRead.set(file, found);
    if (!isSocket && isWrite(call.name) && file !== '')
      for (const found of keysOf(call.text)) written.set(file, (written.get(file) ?? new Set()).add(found));
    if (isSync(call.name)) {
      const keys = coverage.get(call) ?? [];
      if (keys.length > 0) syncs++;
      for (const found of keys) synced.add(found);
    }
  }
  return { covered, early, syncs };
}

const isWrite = (name: string) =>
  ['write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg'].includes(name);
const isRead = (name: string) => ['read', 'readv', 'recvfrom', 'recvmsg'].includes(name);
const isSync = (name: string) => name === 'fdatasync' || name === 'fsync';

function* stepsOf(trace: string): Generator<Step> {
  /** The call that each thread is in. */
  const open = new Map<string, Call>();
  for (const line of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, resumed, tail] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    if (resumed !== undefined) {
      const begun = open.get(thread);
      open.delete(thread);
      if (begun === undefined) continue;
      // What was read is known only now; the call stays the same object, which its beginning is remembered by.
      const call = Object.assign(begun, { text: `${begun.text} ${tail}` });
      yield { call, begins: false, result: resultOf(tail ?? '') };
      continue;
    }
    const [, name, text = ''] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    if (name === undefined) continue;
    if (text.endsWith('<unfinished ...>')) {
      const call = { name, text: text.slice(0, -'<unfinished ...>'.length).trimEnd() };
      open.set(thread, call);
      yield { call, begins: true };
    } else yield { call: { name, text }, begins: true, result: resultOf(text) };
  }
}

function resultOf(text: string): string {
  return /\) += (-?\d+)[^=]*$/.exec(text)?.[1] ?? '-1';
}
