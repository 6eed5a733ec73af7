import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { synthesizeApp } from '#cli/cost/synthesize-app.ts';
import { writeAssembly } from '#test/sandbox/aws/stacks/written-assembly.ts';

/** A folder with settings, and with a CDK app whose stacks hold nothing. */
function writeApp(settings: object): string {
  const root = mkdtempSync(join(tmpdir(), 'drawbridge-app-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const template = { Resources: {} };
  const assembly = writeAssembly({
    'drawbridge-production-data': { template },
    'drawbridge-production-service': { template },
  });
  const copies = `require('node:fs').cpSync(${JSON.stringify(assembly)}, process.env.CDK_OUTDIR, { recursive: true });`;
  writeFileSync(join(root, 'app.cjs'), copies);
  writeFileSync(join(root, 'cdk.json'), JSON.stringify({ app: `${process.execPath} app.cjs` }));
  mkdirSync(join(root, 'settings'));
  writeFileSync(join(root, 'settings/production.json'), JSON.stringify(settings));
  return root;
}

const settings = {
  platform: { baseUrl: 'https://api.platform.test', authUrl: 'https://auth.platform.test' },
  runbookUrl: 'https://git.bank.test/runbook',
  alarmSubscribers: ['oncall@bank.test'],
};

it('returns the region of the settings file, whose prices cost shows', async () => {
  const synthesized = await synthesizeApp(writeApp({ ...settings, region: 'us-east-1' }), 'production', {});
  expect(synthesized).toMatchObject({ name: 'production', region: 'us-east-1', templates: [{}, {}] });
  expect((await synthesizeApp(writeApp(settings), 'production', {})).region).toBeUndefined();
});
