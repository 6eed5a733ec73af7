import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { repositoryRoot } from '#package/build/read-json.ts';
import { packedPackage, preparePackage } from './packed-package.ts';
import { expectStartToHandleAnOrder, runIn } from './trial-repository.ts';

const home = () => join(inject('scratch'), 'new-user');

beforeAll(preparePackage);
// Some 100,000 files: the end of all tests is too short for them.
afterAll(() => rmSync(home(), { recursive: true, force: true }));

it('takes a new user with npm alone from the tarball to a function that handles a bus event', async () => {
  mkdirSync(home());
  writeFileSync(join(home(), 'package.json'), '{ "private": true }');
  await runIn(home(), 'npm', 'install', packedPackage().tarball);
  await runIn(home(), 'npx', '--no', '--', 'drawbridge', 'init', 'our-bank');
  const repository = join(home(), 'our-bank');
  await runIn(repository, 'npm', 'install');
  // What CI does, in a clone.
  await runIn(repository, 'npm', 'ci');
  expect(await runIn(repository, 'npm', 'test')).toMatch(/Tests .*2 passed/);
  await runIn(repository, 'npm', 'run', 'synth', '--', '--context', 'environment=laptop');
  expect(existsSync(join(repository, 'cdk.out/our-bank-laptop-orders.template.json'))).toBe(true);
  await expectStartToHandleAnOrder(repository);
});

it('runs the test of the example order-service with npm alone', async () => {
  const folder = join(home(), 'order-service');
  cpSync(join(repositoryRoot, 'examples/order-service'), folder, { recursive: true });
  await runIn(folder, 'npm', 'install', packedPackage().tarball);
  expect(await runIn(folder, 'npm', 'test')).toMatch(/pass 1\b/);
});
