// Decides whether a request goes through a proxy, by the variables of the environment.

import { parseTarget, type Target } from './http-target.ts';
import type { Environment } from './world.ts';

export const proxyVariables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

/** False for a text that is not a URL. */
export function usesProxy(url: string, environment: Environment): boolean {
  const target = parseTarget(url);
  return target !== undefined && chosenProxy(target, environment) !== '';
}

/** Returns the kind of a proxy that wm cannot use, such as `socks5`. Without a scheme it is an http proxy. */
export function unsupportedKind(proxy: string): string | undefined {
  const [, kind = 'http'] = /^([a-z][a-z\d+.-]*):\/\//i.exec(proxy) ?? [];
  return /^https?$/i.test(kind) ? undefined : kind.toLowerCase();
}

/** Returns an empty text for no proxy. Never chooses one for loopback, which it could not reach. */
export function chosenProxy(target: Target, environment: Environment): string {
  const proxy = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  // As undici and others do, sends https through HTTP_PROXY without HTTPS_PROXY.
  const chosen = (target.isTls && proxy('HTTPS_PROXY')) || proxy('HTTP_PROXY');
  if (chosen === '' || isLoopback(target)) return '';
  const exceptions = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  if (exceptions === '*') return '';
  const host = target.host.replace(/:\d+$/, '').toLowerCase();
  const isExcepted = exceptions.split(/[,\s]/).some((entry) => {
    const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const excepted = name.replace(/^\*?\./, '').toLowerCase();
    if (excepted === '' || (port !== undefined && Number(port) !== target.port)) return false;
    return host === excepted || host.endsWith(`.${excepted}`);
  });
  return isExcepted ? '' : chosen;
}

function isLoopback({ hostname }: Target): boolean {
  return hostname === 'localhost' || hostname === '::1' || /^127(\.\d+){3}$/.test(hostname);
}
