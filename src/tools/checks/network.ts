// The doctor's checks of the connection: the proxy, whether the host responds and accepts the token, and whether the clocks agree.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommand } from '#cli/format-command.ts';
import { failureFromFault } from '#client/request-failure.ts';
import { isFromService, rawFailure } from '#client/response.ts';
import { responseHint } from '#client/response-hint.ts';
import type { Access, Credentials } from '#client/session.ts';
import { accountOperations } from '#contract/account-operations.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { isLoopbackHost } from '#login/host.ts';
import { loadCredentials } from '#login/select-account.ts';
import { tlsProblem } from '#tls-problems.ts';
import type { Environment, HttpResponse, Inspection } from '#world/world.ts';
import { type Finding, toOutcome } from './finding.ts';

/** Beyond this, a token is refreshed too late or at every command. */
const skewMs = 30_000;
const maxResponseBytes = 1024 * 1024;
const silent = { isQuiet: true, info: () => {}, warn: () => {} };

/** Sends nothing to the service without a token. */
export async function networkChecks(
  context: Context,
  { hasToken }: { readonly hasToken: boolean },
): Promise<Finding[]> {
  const { world, account, settings, timeoutMs } = context;
  const findings = proxyFinding(world.environment);
  // A proxy resolves the name and connects.
  const isDirect = findings.length === 0;
  if (!hasToken) {
    const address = account.authUrl ?? settings.find('auth-url')?.value;
    if (isDirect && address !== undefined && URL.canParse(address))
      findings.push(...(await connectionChecks(context, address)));
    return [...findings, { check: 'service', result: 'notice', found: 'not checked: no token' }];
  }
  let credentials: Credentials;
  let access: Access;
  try {
    credentials = await loadCredentials(world, account, silent);
    access = await credentials.access();
  } catch (error) {
    return [...findings, { check: 'sign-in', ...toOutcome(error) }];
  }
  if (isDirect) findings.push(...(await connectionChecks(context, access.baseUrl)));
  const started = world.clock.now();
  const response = await world.http.send(
    {
      method: 'GET',
      url: access.baseUrl + accountOperations.getAccount.path,
      headers: { Authorization: `Bearer ${access.token}`, Accept: 'application/json' },
    },
    { timeoutMs, maxBytes: maxResponseBytes },
  );
  const ended = world.clock.now();
  const check = 'service';
  if ('fault' in response)
    return [...findings, { check, ...toOutcome(failureFromFault({ ...response, url: access.baseUrl })) }];
  const found = `${new URL(access.baseUrl).host} responds with ${response.status} in ${Math.round(ended - started)} ms`;
  const isOwn = isFromService(response, 'GET');
  const failure = rawFailure(response, 'GET');
  if (!failure) findings.push({ check, result: 'good', found });
  else {
    const hint = isOwn
      ? responseHint(failure, {
          operation: accountOperations.getAccount,
          parameters: {},
          credentials,
          commandLine: (words) => formatCommand(context, words),
        })
      : 'A proxy, a firewall or a sign-in page may be in the way: check the network, HTTPS_PROXY and the host.';
    findings.push({ check, ...toOutcome(failure.with({ hint })) });
  }
  return isOwn ? [...findings, ...clockFinding(response, (started + ended) / 2)] : findings;
}

/** Reads the variables as requests do (world/http-undici.ts): lower case first, and a host without `http://`. */
function proxyFinding(environment: Environment): Finding[] {
  const [variable] = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].flatMap((name) => {
    const text = environment[name];
    return text ? [{ name, text: text.includes('://') ? text : `http://${text}` }] : [];
  });
  if (variable === undefined) return [];
  const { name, text } = variable;
  const remedy = `Set it, for example: ${name}=http://proxy:3128`;
  if (!URL.canParse(text)) return [{ check: 'proxy', result: 'bad', found: `${name} is not a URL`, remedy }];
  const { protocol, host } = new URL(text);
  if (!/^https?:$/.test(protocol)) {
    const found = `${name} names a ${protocol.slice(0, -1)} proxy; wm can use http and https proxies only`;
    return [{ check: 'proxy', result: 'bad', found, remedy }];
  }
  const exceptions = environment['no_proxy'] ?? environment['NO_PROXY'];
  const found = `${name}: ${protocol}//${host}${exceptions ? `, except for ${exceptions}` : ''}`;
  return [{ check: 'proxy', result: 'notice', found }];
}

/** `ourTime`: in the middle of the exchange. The service's header has whole seconds. */
function clockFinding(response: HttpResponse, ourTime: number): Finding[] {
  const serverTime = Date.parse(response.headers['date'] ?? '');
  if (Number.isNaN(serverTime)) return [];
  const skew = serverTime - ourTime;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= skewMs)
    return [{ check: 'clock', result: 'good', found: `within ${seconds} s of the service's clock` }];
  const found = `${seconds} s ${skew > 0 ? 'behind' : 'ahead of'} the service's clock`;
  const remedy = "Set this machine's clock: wm uses it to tell when to refresh a token.";
  return [{ check: 'clock', result: 'bad', found, remedy }];
}

const dayMs = 86_400_000;
/** Reports a certificate that expires sooner. */
const soonDays = 14;

/** `url`: of the API or, before a sign-in, of the authorization server. Skips the emulator: it has neither a name nor a certificate. */
async function connectionChecks({ world, timeoutMs }: Context, url: string): Promise<Finding[]> {
  const { host, hostname, protocol } = new URL(url);
  if (protocol === 'http:') return [];
  const inspection = await world.inspectConnection(url, { timeoutMs, certificates: world.http.certificates });
  const { fault } = inspection;
  if (fault?.stage === 'name') {
    const remedy =
      'Check the spelling of the host, the connection and the name server. Behind a proxy, set HTTPS_PROXY.';
    return [{ check: 'DNS', result: 'bad', found: `${hostname} does not resolve: ${fault.detail}`, remedy }];
  }
  const findings: Finding[] = [];
  if (!isLoopbackHost(host)) {
    const found = `${hostname} is at ${joinWithAnd(inspection.addresses.slice(0, 3))}`;
    findings.push({ check: 'DNS', result: 'good', found });
  }
  if (fault?.stage === 'connection') {
    const remedy = 'Check the connection and the firewall. Behind a proxy, set HTTPS_PROXY.';
    return [...findings, { check: 'connection', result: 'bad', found: `${host}: ${fault.detail}`, remedy }];
  }
  return [...findings, certificateFinding(host, inspection, world.clock.now())];
}

function certificateFinding(host: string, { certificate, fault }: Inspection, now: number): Finding {
  const check = 'TLS';
  if (!certificate || fault || certificate.distrust !== undefined) {
    const code = fault?.tlsCode ?? certificate?.distrust ?? 'it sent no certificate';
    const { what, hint: remedy } = tlsProblem(code) ?? { what: code, hint: 'Check the host and the port.' };
    return { check, result: 'bad', found: `${host}: ${fault?.detail ?? what}`, remedy };
  }
  const days = Math.floor((certificate.validTo - now) / dayMs);
  const found = `${host} has a certificate that is valid for ${countOf(days, 'day')}`;
  return { check, result: days < soonDays ? 'notice' : 'good', found };
}
