import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const isLinux = process.platform === 'linux';

/** Whether a process runs. A zombie has ended: it only waits for its parent to take note. */
export function isProcessAlive(pid: number): boolean {
  return isProcessId(pid) && readStatFields(pid)?.[0] !== 'Z';
}

/** Whether the id belongs to a process, be it a zombie. */
export function isProcessId(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The moment a process started, in clock ticks since the machine did. With the process id it tells a process
 * from a later one that got the same id. `0` where the system does not tell (anything but Linux).
 */
export function readStartTime(pid: number): string {
  return readStatFields(pid)?.[19] ?? '0';
}

/**
 * Whether a process is the postmaster of a server of that `cluster_name`, or one of its children, which carry
 * the name in their titles.
 */
export function isServerProcess(pid: number, name: string): boolean {
  const [program = '', ...rest] = readArguments(pid);
  if (program.startsWith(`postgres: ${name}:`)) return true;
  // Elsewhere the arguments come in one text, in which a path with a blank cannot be told.
  const isPostgres = !isLinux || basename(program) === 'postgres';
  return isPostgres && rest.includes(`cluster_name=${name}`);
}

/** Ids of the live processes of a server of that `cluster_name`. Empty where there is no /proc. */
export function findServerProcesses(name: string): number[] {
  if (!isLinux) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => isServerProcess(pid, name) && isProcessAlive(pid));
}

/** Sends a signal to a process that may be gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readArguments(pid: number): string[] {
  try {
    if (isLinux) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (process.platform === 'win32') return [];
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).split(
      /\s+/,
    );
  } catch {
    return [];
  }
}

/** Fields of /proc/<pid>/stat from the third on (state, parent, …): the second may hold blanks and brackets. */
function readStatFields(pid: number): string[] | undefined {
  if (!isLinux) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
