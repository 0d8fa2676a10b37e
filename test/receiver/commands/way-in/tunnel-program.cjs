// A tunnel program for tests: `node tunnel-program.cjs EDGE_PORT LOCAL_PORT` asks the test's edge for a name, prints its URL as
// cloudflared does, and opens a connection for each that comes in there. Ends when the edge closes its connection.

const { connect } = require('node:net');

const [edgePort, localPort] = process.argv.slice(2).map(Number);
const ignore = () => {};

const control = connect(edgePort, '127.0.0.1', () => control.write('hello\n'));
let rest = '';
control.setEncoding('utf8').on('data', (text) => {
  const lines = `${rest}${text}`.split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const [word, value] = line.split(' ');
    if (word === 'name') {
      process.stderr.write('INF Thank you for trying it. Documentation: https://docs.example.com/tunnels\n');
      process.stderr.write(`INF |  https://${value}.tunnel.example.com  |\n`);
    } else open(value);
  }
});
control.on('error', ignore).on('close', () => {
  process.stderr.write('ERR the edge has closed the connection\n');
  process.exit(1);
});

function open(id) {
  const local = connect(localPort, '127.0.0.1');
  const outside = connect(edgePort, '127.0.0.1', () => outside.write(`data ${id}\n`));
  local.on('error', () => outside.destroy()).on('close', () => outside.destroy());
  outside.on('error', () => local.destroy()).on('close', () => local.destroy());
  local.pipe(outside).pipe(local);
}
