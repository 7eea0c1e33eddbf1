import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedUnavailable } from './unavailable.ts';

/** Capabilities that let an account pass folders closed to it, the lesser first; a container has the second. */
const capabilities = ['dac_read_search', 'dac_override'] as const;
const probeTimeoutMs = 10_000;
const outputLengthMax = 64_000;
/** What PostgreSQL may see of our environment: no secrets, and no PG… variable that would change what it does. */
const passedVariables = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/** How PostgreSQL's programs are run: as ourselves, or as an account, with a capability where it needs one. */
export interface Launcher {
  account?: Account;
  capability?: (typeof capabilities)[number];
}

export interface CommandResult {
  /** `null` when the program could not be run or was stopped by its time limit. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * The account that runs the server: nobody else than ourselves, unless we are root, which PostgreSQL refuses
 * to run as. Then it is the owner of the data that is there, else `postgres`, else `nobody`.
 *
 * @throws EmbeddedUnavailable when the data belongs to somebody else, or root finds neither account.
 */
export function chooseAccount(dataFolder: string): Account | undefined {
  const userId = process.getuid?.();
  if (userId === undefined) return undefined;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (userId !== 0) {
    if (owner === undefined || owner.uid === userId) return undefined;
    throw new EmbeddedUnavailable(
      `The data in ${dataFolder} belongs to the account ${owner.uid}, and this program runs as ${userId}. Run it as the owner, or set KOBANA_HOME to another folder.`,
    );
  }
  const accounts = readAccounts();
  if (owner !== undefined && owner.uid !== 0) {
    const name = accounts.find((account) => account.uid === owner.uid)?.name ?? String(owner.uid);
    return { uid: owner.uid, gid: owner.gid, name };
  }
  const named = (name: string) => accounts.find((account) => account.name === name && account.uid !== 0);
  const account = named('postgres') ?? named('nobody');
  if (account !== undefined) return account;
  throw new EmbeddedUnavailable(
    'PostgreSQL refuses to run as root, and there is neither an account postgres nor nobody to run it as. Run this program as another user.',
  );
}

/**
 * Finds a way to run the programs by trying them: the server's own version, and a visit to each folder the
 * server needs. Root's way is an account without rights, and where that account cannot pass a folder (a home
 * below /root, say), the account with one capability.
 *
 * @returns the way and the major version of the programs.
 * @throws EmbeddedUnavailable when no way works.
 */
export async function chooseLauncher(
  binaries: Binaries,
  account: Account | undefined,
  folder: string,
): Promise<{ launcher: Launcher; majorVersion: number }> {
  const launchers: Launcher[] =
    account === undefined
      ? [{}]
      : [{ account }, ...capabilities.map((capability) => ({ account, capability }))];
  let failure = '';
  for (const launcher of launchers) {
    const probe = await probeLauncher(launcher, binaries, folder);
    if (probe.majorVersion !== undefined) return { launcher, majorVersion: probe.majorVersion };
    failure ||= probe.failure;
  }
  if (account === undefined) {
    throw new EmbeddedUnavailable(
      `The programs of the embedded PostgreSQL do not run here (${failure}). On Linux they need glibc (not musl, as in Alpine) and the install scripts of their package: npm rebuild.`,
    );
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root, and the account ${account.name} cannot run it (${failure}). Set KOBANA_HOME to a folder that account may enter, or run this program as a user that is not root.`,
  );
}

/** Runs a program to its end. A program that cannot be run gives the exit code `null` and the reason. */
export function runCommand(
  launcher: Launcher,
  program: string,
  parameters: string[],
  timeoutMs: number,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const result: CommandResult = { exitCode: null, stdout: '', stderr: '' };
    const spawned = spawnAs(launcher, program, parameters, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    if (spawned instanceof Error) {
      resolve({ ...result, stderr: spawned.message });
      return;
    }
    spawned.stdout?.on('data', (chunk) => {
      result.stdout = (result.stdout + chunk).slice(-outputLengthMax);
    });
    spawned.stderr?.on('data', (chunk) => {
      result.stderr = (result.stderr + chunk).slice(-outputLengthMax);
    });
    spawned.once('error', (error) => resolve({ ...result, stderr: error.message }));
    spawned.once('close', (exitCode) => resolve({ ...result, exitCode }));
  });
}

/** Starts a program in a session of its own, so that it outlives us; its output goes to an open file. */
export function startDetached(
  launcher: Launcher,
  program: string,
  parameters: string[],
  outputFile: number,
): ChildProcess | Error {
  const spawned = spawnAs(launcher, program, parameters, {
    stdio: ['ignore', outputFile, outputFile],
    detached: true,
    windowsHide: true,
  });
  if (!(spawned instanceof Error)) spawned.unref();
  return spawned;
}

async function probeLauncher(
  launcher: Launcher,
  binaries: Binaries,
  folder: string,
): Promise<{ majorVersion?: number; failure: string }> {
  const version = await runCommand(launcher, binaries.postgres, ['--version'], probeTimeoutMs);
  const majorVersion = /\(PostgreSQL\) (\d+)/.exec(version.stdout)?.[1];
  // A program that cannot read its own folder still tells its version, but complains.
  if (version.exitCode !== 0 || majorVersion === undefined || version.stderr !== '') {
    return { failure: firstLine(version.stderr) || 'postgres --version gave no answer' };
  }
  if (launcher.account !== undefined) {
    const script = 'for folder in "$@"; do cd -- "$folder" || exit 1; done';
    const share = join(binaries.folder, 'share', 'postgresql');
    const visit = await runCommand(launcher, '/bin/sh', ['-c', script, 'sh', folder, share], probeTimeoutMs);
    if (visit.exitCode !== 0) return { failure: firstLine(visit.stderr) };
  }
  return { majorVersion: Number(majorVersion), failure: '' };
}

function spawnAs(
  launcher: Launcher,
  program: string,
  parameters: string[],
  options: SpawnOptions,
): ChildProcess | Error {
  const { account, capability } = launcher;
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of passedVariables) if (process.env[name]) env[name] = process.env[name];
  // The folder we are in may be closed to the account.
  const cwd = account === undefined ? undefined : '/';
  try {
    if (account === undefined) return spawn(program, parameters, { ...options, env });
    if (capability === undefined) {
      return spawn(program, parameters, { ...options, env, cwd, uid: account.uid, gid: account.gid });
    }
    const wrapped = [...setprivParameters(account, capability), program, ...parameters];
    return spawn('setpriv', wrapped, { ...options, env, cwd });
  } catch (error) {
    return error as Error;
  }
}

function setprivParameters(account: Account, capability: string): string[] {
  return [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    `--bounding-set=-all,+${capability}`,
    // Without this, access(2), by which PostgreSQL looks for its own programs, ignores the capabilities of a
    // process whose user is not root.
    '--securebits=+no_setuid_fixup',
    '--no-new-privs',
  ];
}

function readAccounts(): Account[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .filter((fields) => fields.length >= 4)
      .map(([name, , uid, gid]) => ({ name: name!, uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
