/**
 * Runs the tests of the known cases from the field (their titles say PITFALL) in three time zones, one after the
 * other: the answers may not depend on where the server stands.
 */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ZONES = ['UTC', 'America/Sao_Paulo', 'Pacific/Auckland'];
const suite = fileURLToPath(new URL('test.ts', import.meta.url));

for (const zone of ZONES) {
  console.log(`\nTZ=${zone}`);
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [suite, '--testNamePattern', 'PITFALL'], {
      stdio: 'inherit',
      env: { ...process.env, TZ: zone },
    });
    child.once('exit', (status) => resolve(status ?? 1));
  });
  if (code !== 0) {
    process.exitCode = 1;
    break;
  }
}
