// Parses the URL of a request into what the connection and the request line need.

export interface Target {
  /** Scheme and host. Equal for all URLs of one origin. */
  readonly origin: string;
  readonly isTls: boolean;
  /** As in the Host header: brackets around IPv6, and the port unless it is the scheme's default. */
  readonly host: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Path and query, byte for byte: `URL` would normalise them. */
  readonly path: string;
}

/** Parses an http or https URL. Returns undefined for any other text. */
export function parseTarget(url: string): Target | undefined {
  return createTargetParser()(url);
}

/** Creates a {@link parseTarget} for many URLs. Parses an origin once while it stays the same. */
export function createTargetParser(): typeof parseTarget {
  let lastText = '';
  let lastOrigin: Omit<Target, 'path'> | undefined;
  return (url) => {
    // The origin is usually the same as last time, and its end is known.
    const isSame = lastOrigin !== undefined && url.startsWith(lastText) && isOriginEnd(url, lastText.length);
    const end = isSame ? lastText.length : findOriginEnd(url);
    if (!isSame) {
      lastText = url.slice(0, end);
      lastOrigin = parseOrigin(lastText);
    }
    if (!lastOrigin) return undefined;
    // Skip the path and the query: they may be long, and cannot make a URL invalid.
    const fragment = url.indexOf('#', end);
    const rest = fragment === -1 ? url.slice(end) : url.slice(end, fragment);
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    // Copied by name: a spread would cost a bulk run 4 % of its time.
    const { origin, isTls, host, hostname, port } = lastOrigin;
    return { origin, isTls, host, hostname, port, path };
  };
}

/** Returns where the path begins, or the query if the URL has no path. */
function findOriginEnd(url: string): number {
  let index = url.indexOf('//') + 2;
  while (index < url.length && !isOriginEnd(url, index)) index++;
  return Math.min(index, url.length);
}

function isOriginEnd(url: string, index: number): boolean {
  return index === url.length || '/?#'.includes(url.charAt(index));
}

function parseOrigin(text: string): Omit<Target, 'path'> | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, hostname, port } = new URL(text);
  const isTls = protocol === 'https:';
  return {
    origin: `${protocol}//${host}`,
    isTls,
    host,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
  };
}
