#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=100
/** The command line: `kobana <command>`. Compiled code is kept with the data, so that the next start takes less time. */

import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';

const home = resolve(process.env['KOBANA_HOME'] || '.kobana');
if (existsSync(home)) enableCompileCache(join(home, 'compile-cache'));
await import('./main.ts');
