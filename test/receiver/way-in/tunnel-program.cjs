// A tunnel program for tests: `node tunnel-program.cjs EDGE_PORT LOCAL_PORT` asks the test's edge for a name, prints its URL as
// cloudflared does, and opens a connection for each that comes in there. Ends when the edge closes its connection. Tests that need no
// process of its own call `openTunnel`.

const { connect } = require('node:net');

const ignore = () => {};

/** `end` gets the exit status. Returns a function that breaks all connections without a word, as a kill does. */
function openTunnel([edgePort, localPort], { print, end }) {
  const sockets = new Set();
  const open = (port, onConnect) => {
    const socket = connect(port, '127.0.0.1', onConnect);
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket));
  };
  const close = () => {
    isClosed = true;
    for (const socket of sockets) socket.destroy();
  };
  let isClosed = false;
  const lead = (id) => {
    const local = open(localPort);
    const outside = open(edgePort, () => outside.write(`data ${id}\n`));
    local.on('error', () => outside.destroy()).on('close', () => outside.destroy());
    outside.on('error', () => local.destroy()).on('close', () => local.destroy());
    local.pipe(outside).pipe(local);
  };
  const control = open(edgePort, () => control.write('hello\n'));
  let rest = '';
  control.setEncoding('utf8').on('data', (text) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [word, value] = line.split(' ');
      if (word === 'name') {
        print('INF Thank you for trying it. Documentation: https://docs.example.com/tunnels\n');
        print(`INF |  https://${value}.tunnel.example.com  |\n`);
      } else lead(value);
    }
  });
  control.on('error', ignore).on('close', () => {
    if (isClosed) return;
    print('ERR the edge has closed the connection\n');
    close();
    end(1);
  });
  return close;
}

module.exports = { openTunnel };

if (require.main === module)
  openTunnel(process.argv.slice(2).map(Number), {
    print: (text) => void process.stderr.write(text),
    end: (status) => process.exit(status),
  });
