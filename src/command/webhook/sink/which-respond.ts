// Asks the servers of a sink one by one which of them respond: the first thing to know when there is no quorum.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { Failure } from '../../../failure.ts';
import { parseSinkUrl, type SinkUrl } from '../../../receiver/sink/sink-url.ts';
import type { Context } from '../../context.ts';
import type { SinkConnectionFlags } from '../listen/sink-flags.ts';
import { connectToServers, type OpenSink, openSink } from './open-sink.ts';

const askMs = 3_000;

/** The same failure; if it is a failure of the servers, with which of them respond. */
export async function nameServers(
  context: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
  error: Failure,
): Promise<Failure> {
  if (error.code !== 'network' || url.servers.length < 2) return error;
  const asked = await Promise.all(url.servers.map((server) => responds(context, url, flags, server)));
  const [there, gone] = [true, false].map((wanted) => url.servers.filter((_, at) => asked[at] === wanted));
  if (there === undefined || gone === undefined || there.length === 0) return error;
  const text =
    gone.length === 0
      ? 'each of them responds, so they may be cut off from each other'
      : `${joinWithAnd(gone)} ${gone.length === 1 ? 'does' : 'do'} not respond; ${joinWithAnd(there)} ${there.length === 1 ? 'does' : 'do'}`;
  return error.with({ why: error.why === undefined ? text : `${text} (${error.why})` });
}

/** {@link openSink}, whose failure names the servers that respond. */
export async function openSinkNamingServers(
  context: Pick<Context, 'world' | 'common'>,
  text: string,
  flags: Parameters<typeof openSink>[2],
): Promise<OpenSink> {
  try {
    return await openSink(context, text, flags);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw await nameServers(context, parseSinkUrl(text, '--sink'), flags, error);
  }
}

async function responds(
  context: Pick<Context, 'world'>,
  url: SinkUrl,
  flags: SinkConnectionFlags,
  server: string,
): Promise<boolean> {
  const connection = await connectToServers(context, { ...url, servers: [server] }, flags, askMs);
  // A server that rejects the credentials does respond.
  if ('fault' in connection) return connection.fault === 'not-allowed';
  await connection.close();
  return true;
}
