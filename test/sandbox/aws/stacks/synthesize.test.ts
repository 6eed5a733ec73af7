import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';

const prints = `
  const { CDK_OUTDIR, CDK_CONTEXT_JSON } = process.env;
  require('node:fs').writeFileSync(CDK_OUTDIR, CDK_CONTEXT_JSON);`;

/** A cdk.json whose app is this CommonJS program. */
function writeApp(program: string) {
  const root = mkdtempSync(join(tmpdir(), 'drawbridge-app-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'app.cjs'), program);
  const context = { environment: 'sandbox', platform: 'of cdk.json' };
  writeFileSync(join(root, 'cdk.json'), JSON.stringify({ app: `${process.execPath} app.cjs`, context }));
  return { root, outputDirectory: join(root, 'out'), environment: {} };
}

/** The context that the app is given. */
async function contextWith(context?: Readonly<Record<string, unknown>>): Promise<unknown> {
  const props = writeApp(prints);
  await synthesize({ ...props, context });
  return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(props.outputDirectory, 'utf8')));
}

describe('sandbox aws: synthesize runs the app of cdk.json', () => {
  const own = { environment: 'sandbox', platform: 'of cdk.json', 'aws:cdk:enable-path-metadata': true };

  it('passes further context, which takes precedence', async () => {
    const platform = { baseUrl: 'http://127.0.0.1:1' };
    expect(await contextWith({ platform, more: 1 })).toEqual({ ...own, platform, more: 1 });
  });

  it('throws an error with the output of the app when it fails', async () => {
    const props = writeApp(`console.error('a finding'); process.exit(1);`);
    await expect(synthesize(props)).rejects.toThrow(expect.objectContaining({ code: 'NOT_SYNTHESIZED' }));
    await expect(synthesize(props)).rejects.toThrow('a finding');
  });
});
