/** What is shipped to run it, checked as far as it can be without Docker: names, paths, flags and variables. */

import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig, variables } from '../../src/apps/config.ts';
import { requireSafeHost } from '../../src/apps/reachability.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** Variables of the system or of PostgreSQL's own image. */
const FOREIGN = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'];
const isKnown = (name: string) => name in variables || FOREIGN.includes(name);
const main = read('src/apps/main.ts');
const commands = [...main.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name!);
const program = (read('package.json').match(/"kobana": "(node .*?)"/) ?? [])[1]!;

function assignments(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );
}

describe('the image', () => {
  const dockerfile = read('Dockerfile').replace(/\\\n\s*/g, '');
  const lines = (word: string) =>
    [...dockerfile.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest]) => rest!);

  test('copies what is there and what the builder is sent, and no test', () => {
    const sent = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = lines('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(3);
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(sent, path).toContain(path);
    }
    expect(read('.dockerignore')).toContain('**/*.test.ts');
  });

  test('holds every file that the program reads beside its code', async () => {
    for await (const file of glob('src/**/*.ts', { cwd: root })) {
      if (file.endsWith('.test.ts')) continue;
      for (const [, path] of read(file).matchAll(/new URL\('((?:\.\.\/)+[\w./-]+)', import\.meta\.url\)/g)) {
        const target = new URL(path!, `file:///${file}`).pathname.slice(1);
        expect(target, `${file} reads ${path}`).toMatch(
          /^(?:src|contract)\/|^package\.json$|^node_modules\//,
        );
      }
    }
  });

  test('runs as nobody special, with the Node and the flags of the house, and answers for its health', () => {
    const { devDependencies } = JSON.parse(read('package.json'));
    expect(
      lines('FROM').every((line) => line.startsWith(`node:${devDependencies.node.split('.')[0]}-slim`)),
    ).toBe(true);
    expect(lines('USER')).toEqual(['node']);
    expect((JSON.parse(lines('ENTRYPOINT')[0]!) as string[]).join(' ')).toBe(program);
    expect(commands).toContain((JSON.parse(lines('CMD')[0]!) as string[])[0]);
    expect(lines('HEALTHCHECK')[0]).toContain('/readyz');
    for (const line of lines('ENV')) {
      for (const part of line.split(' ')) expect(isKnown(part.split('=')[0]!), part).toBe(true);
    }
  });

  test('holds no secret', () => {
    expect(dockerfile).not.toMatch(/SECRET|PASSWORD|TOKEN|DATABASE_URL/);
  });
});

describe('the compose file', () => {
  const compose = parse(read('compose.yaml'), { merge: true });

  test('starts a database that is waited for, a server and a worker', () => {
    expect(Object.keys(compose.services).sort()).toEqual(['database', 'server', 'worker']);
    expect(compose.services.database.image).toBe('postgres:18');
    for (const name of ['server', 'worker']) {
      const service = compose.services[name];
      expect(service.depends_on.database.condition).toBe('service_healthy');
      expect(commands).toContain(service.command[0]);
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
    }
    const volumes = Object.values<any>(compose.services).flatMap(({ volumes = [] }) => volumes as string[]);
    for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(':')[0]!);
  });

  test('reaches other machines only through a proxy, and keeps secrets in files of their own', () => {
    expect(compose.services.server.ports).toEqual(['127.0.0.1:3000:3000']);
    expect(compose.services.worker.ports).toBeUndefined();
    expect(compose.services.database.ports).toBeUndefined();
    expect(read('compose.yaml')).not.toMatch(/(?:SECRET_KEYS|PASSWORD|DATABASE_URL)[:=]\s*\S/);
    for (const { env_file } of Object.values<any>(compose.services)) {
      expect(existsSync(join(root, `${env_file}.example`)), env_file).toBe(true);
      expect(read('.gitignore')).toMatch(/^deploy\/\*\.env$/m);
    }
  });

  test('comes with examples that the program understands once they are filled in, and that hold no secret', () => {
    const own = assignments(read('deploy/kobana.env.example'));
    expect(own['KOBANA_SECRET_KEYS']).toBe('');
    expect(assignments(read('deploy/database.env.example'))).toEqual({ POSTGRES_PASSWORD: '' });
    const config = readConfig({ ...own, KOBANA_SECRET_KEYS: 'k'.repeat(48), HOST: '0.0.0.0' });
    expect(() => requireSafeHost(config.host, config.publicUrl)).not.toThrow();
    expect(config.trustedProxies).toBe(1);
    const url = new URL(config.databaseUrl!);
    expect([url.hostname, url.username, url.pathname]).toEqual(['database', 'kobana', '/kobana']);
    expect(compose.services.database.environment).toMatchObject({
      POSTGRES_USER: 'kobana',
      POSTGRES_DB: 'kobana',
    });
  });
});

describe('the unit of systemd', () => {
  const unit = read('deploy/kobana.service');

  test('starts what is there, as a user of its own, with little else in reach', () => {
    const start = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(unit)![1]!;
    expect(start).toBe(`${program} serve`);
    expect(unit).toMatch(/^User=kobana$/m);
    for (const setting of [
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'CapabilityBoundingSet=',
      'PrivateTmp=yes',
    ]) {
      expect(unit.split('\n'), setting).toContain(setting);
    }
    // Node makes code at run time.
    expect(unit).not.toContain('MemoryDenyWriteExecute');
    for (const [, name] of unit.matchAll(/(?<![A-Za-z])([A-Z][A-Z_]+)=/g))
      expect(isKnown(name!), name).toBe(true);
  });
});

describe('the pages for operators', () => {
  test('name only commands, flags, variables, pages and files that exist', async () => {
    for await (const page of glob('docs/{operations,connect}/*.md', { cwd: root })) {
      const text = read(page);
      for (const [name] of text.matchAll(/\bKOBANA_[A-Z_]+\b/g)) {
        expect(
          isKnown(name) || /^KOBANA_(?:FINANCE|DUNNING)_TOKEN$/.test(name) || name.endsWith('_'),
          `${page}: ${name}`,
        ).toBe(true);
      }
      for (const [, command] of text.matchAll(/(?:kobana -- |kobana\.ts |compose run --rm server )(\w+)/g)) {
        expect(commands, `${page}: ${command}`).toContain(command);
      }
      for (const [, target] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
        if (/^https?:/.test(target!)) continue;
        expect(existsSync(join(root, page, '..', target!)), `${page}: ${target}`).toBe(true);
      }
    }
  });
});
