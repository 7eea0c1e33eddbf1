import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** The program of the peer itself; installed beside the bench when it is not there yet. */
export function toolboxProgram(): string {
  const name = `@toolbox-sdk/server-${platform()}-${arch()}/package.json`;
  const find = () => createRequire(join(folder, 'package.json')).resolve(name);
  let manifest: string;
  try {
    manifest = find();
  } catch {
    execFileSync('npm', ['ci', '--prefix', folder], { stdio: 'inherit' });
    manifest = find();
  }
  return join(dirname(manifest), 'bin', platform() === 'win32' ? 'toolbox.exe' : 'toolbox');
}
