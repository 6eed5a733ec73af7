import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { packedPackage, preparePackage } from './packed-package.ts';

const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

/** What npm links: `npx drawbridge` runs it. */
const command = () => join(packedPackage().consumer, 'node_modules/.bin/drawbridge');

let platform: ChildProcess | undefined;
beforeAll(preparePackage);
afterAll(() => platform?.kill());

describe('the command drawbridge, installed from the tarball', () => {
  it('lists the commands that a new user begins with', async () => {
    const { stdout } = await promisify(execFile)(command(), ['--help'], { env: environment });
    for (const name of ['init', 'start', 'platform']) expect(stdout).toContain(`\n  ${name} `);
  });

  it('names pages of the documentation that the package has', async () => {
    const { stdout } = await promisify(execFile)(command(), ['onboardings', 'start', '--help'], { env: environment });
    const [page = ''] = /\/\S*onboard\.md/.exec(stdout.replaceAll(/\n\s+/g, '')) ?? [];
    expect(existsSync(page), stdout).toBe(true);
  });

  it('runs the sandbox platform, with its documents and their viewer', async () => {
    const port = await freePort();
    platform = spawn(command(), ['platform', '--port', String(port)], {
      cwd: packedPackage().consumer,
      env: environment,
    });
    let printed = '';
    for (const stream of [platform.stdout, platform.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
    await expect.poll(() => printed).toContain('press Ctrl-C');
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    for (const path of ['/openapi.json', '/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])
      expect(await statusOf(path), path).toBe(200);
  });
});
