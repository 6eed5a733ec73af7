import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { appContext } from '#infra/parts/feature-flags.ts';
import { createOutputDirectory, createTrialApp } from '#test/infra/trial-app.ts';

/** What the CDK command reads before it prints its note. */
const manifest = z.object({
  artifacts: z.record(z.string(), z.object({ type: z.string(), properties: z.looseObject({}).optional() })),
});
const report = z.object({ flags: z.record(z.string(), z.object({ userValue: z.unknown() })) });

function flagsOf(app: App) {
  const text = readFileSync(join(app.synth().directory, 'manifest.json'), 'utf8');
  const artifacts = Object.values(manifest.parse(JSON.parse(text)).artifacts);
  const { flags } = report.parse(artifacts.find(({ type }) => type === 'cdk:feature-flag-report')?.properties);
  return Object.values(flags);
}

describe('the context of our app', () => {
  it('sets every feature flag, so that cdk synth prints no note on flags', () => {
    const flags = flagsOf(new App({ outdir: createOutputDirectory(), context: { ...appContext } }));
    expect(flags.length).toBeGreaterThan(80);
    expect(flags.filter(({ userValue }) => userValue === undefined)).toEqual([]);
  });

  it('changes no template', () => {
    const [plain, own] = [createTrialApp(), createTrialApp({}, appContext)];
    for (const stack of ['data', 'service'] as const)
      expect(Template.fromStack(own[stack]).toJSON()).toEqual(Template.fromStack(plain[stack]).toJSON());
  });
});
