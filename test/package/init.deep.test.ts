import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { readJson, repositoryRoot } from '#package/build/read-json.ts';
import { version } from '#shared/version.ts';
import { linkIntoConsumer, packedPackage, preparePackage } from './packed-package.ts';
import { expectStartToHandleAnOrder, runIn } from './trial-repository.ts';

/** What the repository installs besides Drawbridge. */
const others = ['@aws-sdk', '@types', 'esbuild', '.bin/esbuild'];

const init = (name: string) => runIn(packedPackage().consumer, 'node_modules/.bin/drawbridge', 'init', name);
const repository = () => join(packedPackage().consumer, 'our-bank');
const read = (path: string) => readFileSync(join(repository(), path), 'utf8');

let printed: string;
beforeAll(async () => {
  await preparePackage();
  linkIntoConsumer(others);
  printed = await init('our-bank');
});

describe('npx --no -- drawbridge init, installed from the tarball', () => {
  it('prints the next commands, which the repository has', () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
    const named = [...printed.matchAll(/^ {2}npm (?:run )?(\w+)/gm)].map(([, name = '']) => name);
    expect(named).toEqual(['install', 'test', 'synth', 'start']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named.filter((name) => name !== 'install')));
  });

  it('names everything after the folder, and keeps the package in the repository when no registry has it', () => {
    const tarball = `vendor/drawbridge-partner-drawbridge-${version}.tgz`;
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: 'our-bank',
      dependencies: { '@drawbridge-partner/drawbridge': `file:${tarball}` },
    });
    expect(read('app.ts')).toContain('our-bank-');
    expect(read('.gitignore')).toContain('node_modules\n');
    expect(read(tarball).length).toBeGreaterThan(0);
  });

  it('has a tsconfig that compiles a VPC and a key which the construct takes', async () => {
    const file = `import { Stack } from 'aws-cdk-lib';
import { SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { DrawbridgeProps } from '@drawbridge-partner/drawbridge/cdk';
const stack = new Stack();
const vpc = new Vpc(stack, 'Vpc');
export const props: Omit<DrawbridgeProps, 'settings'> = {
  network: { vpc, securityGroups: [new SecurityGroup(stack, 'Group', { vpc })] },
  key: new Key(stack, 'Key'),
};
`;
    writeFileSync(join(repository(), 'own-network.ts'), file);
    const project = { extends: './tsconfig.json', include: [], files: ['own-network.ts'] };
    writeFileSync(join(repository(), 'own-network.json'), JSON.stringify(project));
    const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    expect(await runIn(repository(), process.execPath, compiler, '--project', 'own-network.json')).toBe('');
  });

  it('refuses a folder that is not empty, and a name that npm refuses', async () => {
    await expect(init('our-bank')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
    await expect(init('Our Bank')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('lower-case') });
  });

  it('writes an app whose settings and cost the command prints, before the addresses of the platform are known', async () => {
    const drawbridge = (...options: readonly string[]) =>
      runIn(repository(), join(packedPackage().consumer, 'node_modules/.bin/drawbridge'), ...options);
    const settings = JSON.parse(await drawbridge('settings', '--json'));
    expect(settings).toMatchObject({ environment: 'laptop', file: 'settings/laptop.json' });
    expect(settings.settings).toContainEqual(
      expect.objectContaining({ key: 'listEvents', value: true, default: false }),
    );
    expect(await drawbridge('settings', '--explain', 'listEvents')).toContain('listEvents');
    const cost = JSON.parse(await drawbridge('cost', '--env', 'production', '--webhooks', '1000', '--json'));
    expect(cost).toMatchObject({ environment: 'production', columns: [{ webhooks: 1_000, usd: expect.any(Number) }] });
    await expect(drawbridge('settings', '--env', 'production')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npx --no -- drawbridge settings --explain'),
    });
  });
});

describe('examples/my-bank', () => {
  it('gives a new environment the settings of settings/example.json that no deployed environment can simply take', () => {
    const chosen = z.object({ keys: z.string(), eventsTableClass: z.string() });
    expect(chosen.parse(readJson('examples/my-bank/settings/production.json'))).toEqual(
      chosen.parse(readJson('settings/example.json')),
    );
  });

  it('has the exact versions that Drawbridge is tested with', () => {
    const named = z.record(z.string(), z.string());
    const manifest = z.object({ dependencies: named, devDependencies: named });
    const all = (path: string) => {
      const { dependencies, devDependencies } = manifest.parse(readJson(path));
      return { ...dependencies, ...devDependencies };
    };
    const tested: Readonly<Record<string, string>> = {
      ...all('package.json'),
      '@drawbridge-partner/drawbridge': version,
    };
    const versions = all('examples/my-bank/package.json');
    expect(versions).toEqual(Object.fromEntries(Object.keys(versions).map((name) => [name, tested[name]])));
  });
});

const home = () => join(inject('scratch'), 'new-user');

// Some 100,000 files: the end of all tests is too short for them.
afterAll(() => rmSync(home(), { recursive: true, force: true }));

it('takes a new user with only npm from the tarball to a function that handles a bus event', async () => {
  mkdirSync(home());
  const begin = performance.now();
  writeFileSync(join(home(), 'package.json'), '{ "private": true }');
  await runIn(home(), 'npm', 'install', packedPackage().tarball);
  await runIn(home(), 'npx', '--no', '--', 'drawbridge', 'init', 'our-bank');
  const repository = join(home(), 'our-bank');
  await runIn(repository, 'npm', 'install');
  const seconds = ((await expectStartToHandleAnOrder(repository)) - begin) / 1_000;
  console.log(`${seconds.toFixed(0)} s from an empty folder to the first handled event.`);
  // What CI does, in a clone.
  await runIn(repository, 'npm', 'ci');
  expect(await runIn(repository, 'npm', 'test')).toMatch(/Tests .*9 passed/);
  await runIn(repository, 'npm', 'run', 'synth', '--', '--context', 'environment=laptop');
  expect(existsSync(join(repository, 'cdk.out/our-bank-laptop-orders.template.json'))).toBe(true);
});

it('runs the tests of the example bank with only npm', async () => {
  const folder = join(home(), 'bank');
  cpSync(join(repositoryRoot, 'examples/bank'), folder, { recursive: true });
  await runIn(folder, 'npm', 'install', packedPackage().tarball);
  expect(await runIn(folder, 'npm', 'test')).toMatch(/pass 6\b/);
});
