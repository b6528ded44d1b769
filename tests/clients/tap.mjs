// Stands between a client and the server it starts on a pipe, and keeps what the
// client would throw away: every byte of standard output, standard error and the
// status. Clients neither wait for a server's status nor tell it.
//
//   node tap.mjs DIRECTORY COMMAND [ARGUMENT...]
//
// In DIRECTORY, by process id: N.out, N.err, N.ended ({"code", "signal"}), and
// N.told once the client has sent SIGTERM.
import { spawn } from 'node:child_process';
import { openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [directory, command, ...args] = process.argv.slice(2);
const file = (kind) => join(directory, `${process.pid}.${kind}`);
let server;
process.on('SIGTERM', () => {
  writeFileSync(file('told'), '');
  server.kill('SIGTERM');
});

const out = openSync(file('out'), 'a');
server = spawn(command, args, { stdio: ['inherit', 'pipe', openSync(file('err'), 'a')] });
// A client that is gone no longer reads; what the server says is still kept.
process.stdout.on('error', () => {});
server.stdout.on('data', (bytes) => {
  writeSync(out, bytes);
  process.stdout.write(bytes);
});
server.on('close', (code, signal) => {
  writeFileSync(file('ending'), JSON.stringify({ code, signal }));
  renameSync(file('ending'), file('ended'));
  process.exitCode = code ?? 1;
});
