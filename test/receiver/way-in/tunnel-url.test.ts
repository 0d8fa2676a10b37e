// The URL of a tunnel among what the programs print: real output of several, and what is not one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLineReader, findTunnelUrl } from '#receiver/way-in/tunnel.ts';

const outputs: Readonly<Record<string, readonly [output: string, url: string | undefined]>> = {
  cloudflared: [
    `2026-01-05T12:00:00Z INF Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment and try it out. However, be aware that these account-less Tunnels have no uptime guarantee, are subject to the Cloudflare Online Services Terms of Use (https://www.cloudflare.com/website-terms/), and Cloudflare reserves the right to investigate your use of Tunnels for violations of such terms. If you intend to use Tunnels in production you should use a pre-created named tunnel by following: https://developers.cloudflare.com/cloudflare-one/connections/connect-apps
2026-01-05T12:00:00Z INF Requesting new quick Tunnel on trycloudflare.com...
2026-01-05T12:00:03Z INF +--------------------------------------------------------------------------------------------+
2026-01-05T12:00:03Z INF |  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |
2026-01-05T12:00:03Z INF |  https://plain-words-here.trycloudflare.com                                                |
2026-01-05T12:00:03Z INF +--------------------------------------------------------------------------------------------+
2026-01-05T12:00:03Z INF Settings: map[ha-connections:1 protocol:quic url:http://127.0.0.1:8080]
2026-01-05T12:00:03Z INF Starting metrics server on 127.0.0.1:20241/metrics`,
    'https://plain-words-here.trycloudflare.com',
  ],
  'cloudflared that fails': [
    'ERR Error unmarshaling QuickTunnel response: failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host',
    undefined,
  ],
  'ngrok --log stdout': [
    `t=2026-01-05T12:00:00+0000 lvl=info msg="no configuration paths supplied"
t=2026-01-05T12:00:00+0000 lvl=info msg="starting web service" obj=web addr=127.0.0.1:4040 allow_hosts=[]
t=2026-01-05T12:00:01+0000 lvl=info msg="client session established" obj=tunnels.session
t=2026-01-05T12:00:01+0000 lvl=info msg="started tunnel" obj=tunnels name=command_line addr=http://localhost:8080 url=https://1a2b-203-0-113-7.ngrok-free.app`,
    'https://1a2b-203-0-113-7.ngrok-free.app',
  ],
  'ngrok without a sign-in': [
    `ERROR:  authentication failed: Usage of ngrok requires a verified account and authtoken.
ERROR:  Sign up for an account: https://dashboard.ngrok.com/signup
ERROR:  Install your authtoken: https://dashboard.ngrok.com
ERROR:  See https://ngrok.com.`,
    undefined,
  ],
  'ssh -R 80:localhost:8080 localhost.run': [
    `Welcome to localhost.run!

Follow your favourite reverse tunnel at [https://twitter.com/localhost_run].

To set up and manage custom domains go to https://admin.localhost.run/

More details on custom domains (and how to enable subdomains of your custom
domain) at https://localhost.run/docs/custom-domains

To explore using localhost.run visit the documentation site:
https://localhost.run/docs/

** your connection id is 1a2b, please mention it if you send me a message about an issue. **

1a2b3c.lhr.life tunneled with tls termination, https://1a2b3c.lhr.life
Open your tunnel address on your mobile with this QR:`,
    'https://1a2b3c.lhr.life',
  ],
  localtunnel: ['your url is: https://slow-cats-stay.loca.lt\n', 'https://slow-cats-stay.loca.lt'],
  'tailscale funnel': [
    `Available on the internet:

https://box.tail1a2b.ts.net/
|-- proxy http://127.0.0.1:8080`,
    'https://box.tail1a2b.ts.net',
  ],
  devtunnel: [
    `Hosting port: 8080
Connect via browser: https://1a2b.euw.devtunnels.ms:8080, https://1a2b-8080.euw.devtunnels.ms
Inspect network activity: https://1a2b-8080-inspect.euw.devtunnels.ms`,
    'https://1a2b-8080.euw.devtunnels.ms',
  ],
  bore: ['INFO bore_cli::client: listening at bore.pub:34567', undefined],
  'in colour, as a link, and in brackets': [
    'Forwarding \u001b[32mHTTP\u001b[0m from \u001b]8;;https://other.example.net/x\u001b\\[\u001b[1mhttps://a.\u001b[4mtunnel\u001b[0m.example.com\u001b[0m]\u001b]8;;\u001b\\.',
    'https://a.tunnel.example.com',
  ],
  'drawn on a screen': [
    '\u001b[2J\u001b[3;1HForwarding\u001b[3;20Hhttps://a.tunnel.example.com\u001b[3;60H-> http://localhost:8080',
    'https://a.tunnel.example.com',
  ],
  'what only looks like one': [
    `https:// https://localhost https://127.0.0.1 https://203.0.113.7 https://[::1] https://box.local https://me:pw@a.example.com
http://a.tunnel.example.com https://a.tunnel.example.com:8443 https://a.tunnel.example.com/?x https://a.tunnel.example.com/#x
https://tunnel.example https://docs.example.com https://a.example.com%00 https://a..example.com`,
    undefined,
  ],
};

for (const [name, [output, url]] of Object.entries(outputs))
  test(`${name}: ${url ?? 'none'}, in pieces of any size`, () => {
    for (const size of [1, 7, output.length]) {
      const found: string[] = [];
      const reader = createLineReader((line) => {
        const url = findTunnelUrl(line);
        if (url !== undefined) found.push(url);
      });
      for (let at = 0; at < output.length; at += size) reader.add(output.slice(at, at + size));
      reader.end();
      assert.equal(found[0], url);
    }
  });

test('an endless line takes no memory, and its end is still read', () => {
  const lines: string[] = [];
  const reader = createLineReader((line) => lines.push(line));
  for (let at = 0; at < 1000; at++) reader.add('x'.repeat(1000));
  reader.add(' https://a.tunnel.example.com\nnext\r\nlast');
  reader.end();
  reader.end();
  assert.deepEqual(
    lines.map((line) => line.slice(-28)),
    ['https://a.tunnel.example.com', 'next', 'last'],
  );
  assert.ok((lines[0]?.length ?? 0) < 20_000);
});
