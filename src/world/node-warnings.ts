// Hides one of Node's warnings: with the first connection it says that NODE_TLS_REJECT_UNAUTHORIZED=0 makes TLS
// insecure, which is not true of wm (tls-certificates.ts). All others are printed as usual.

export function suppressTlsWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) return;
    for (const print of printers) print.call(process, warning);
  });
}
