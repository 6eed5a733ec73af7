import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { packedPackage, preparePackage, runInConsumer } from './packed-package.ts';
import { testReadmeExamples } from './readme-examples.ts';

/** Of the npm package `node`. Beside `node` 24 in package.json its command would replace that of 24, so it has a folder of its own. */
const version = '22.23.3';

const folder = () => join(inject('scratch'), 'node-22');
const node22 = () => join(folder(), 'node_modules/node/bin/node');

beforeAll(preparePackage);
beforeAll(() => {
  mkdirSync(folder());
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder(), `node@${version}`], {
    stdio: 'pipe',
  });
});

describe('the package under Node 22', () => {
  it('runs on the Node that the test names', async () => {
    expect(await runInConsumer('version.mjs', 'console.log(process.version);', {}, node22())).toBe(`v${version}\n`);
  });

  it.each(['platform', 'events', 'cdk'])('has drawbridge/%s as an ES module and as CommonJS', async (name) => {
    const print = (load: string) => `console.log(Object.keys(${load}).length > 1);`;
    const es = print(`await import('@drawbridge-partner/drawbridge/${name}')`);
    expect(await runInConsumer('es-22.mjs', es, {}, node22())).toBe('true\n');
    expect(
      await runInConsumer('cjs-22.cjs', print(`require('@drawbridge-partner/drawbridge/${name}')`), {}, node22()),
    ).toBe('true\n');
  });

  it('has the command: help works, and start asks for Node 24', async () => {
    const command = join(packedPackage().consumer, 'node_modules/@drawbridge-partner/drawbridge/cli/drawbridge.js');
    expect(execFileSync(node22(), [command, '--help'], { encoding: 'utf8' })).toContain('\n  init ');
    expect(() => execFileSync(node22(), [command, 'start'], { stdio: 'pipe' })).toThrow(
      'npm install --save-dev node@24',
    );
  });

  testReadmeExamples(node22);
});
