import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { createTrialApp } from './trial-app.ts';

const page = readFileSync(join(repositoryRoot, 'docs/how-to/deploy.md'), 'utf8');
const section = page.split('## Follow the rules of your account')[1] ?? '';
/** The file that the page shows. */
const context = z.record(z.string(), z.unknown()).parse(JSON.parse(/```json\n(.*?)```/s.exec(section)?.[1] ?? ''));

/** The context is another way to give the roles a boundary. */
const { permissionsBoundary: _setting, ...otherSettings } = everySetting;

/** Both stacks of an environment with every other setting, as a deployment with that file synthesizes them. */
function synthesize(given: Readonly<Record<string, unknown>>) {
  const { app, data, service } = createTrialApp(otherSettings, given);
  const assembly = app.synth();
  return [data, service].map((stack) => {
    const artifact = assembly.getStackArtifact(stack.artifactId);
    return { template: Template.fromStack(stack), artifact };
  });
}

describe('the context of docs/how-to/deploy.md', () => {
  it('gives every role of both stacks the permissions boundary', () => {
    const roles = synthesize(context).flatMap(({ template }) =>
      Object.values(template.findResources('AWS::IAM::Role')),
    );
    // One of each function and schedule, and that of the backups.
    expect(roles.length).toBeGreaterThan(15);
    for (const { Properties } of roles)
      expect(JSON.stringify(Properties.PermissionsBoundary)).toContain(':policy/bank-boundary"');
  });

  it('uses the roles and the bucket of the bootstrap stack with the qualifier', () => {
    for (const { artifact } of synthesize(context)) {
      expect(artifact.assumeRoleArn).toContain('cdk-bank-deploy-role');
      expect(artifact.stackTemplateAssetObjectUrl).toContain('cdk-bank-assets');
    }
  });
});

describe('a permissions boundary that the command line gives as text', () => {
  it('is ignored by the CDK, as the page says', () => {
    const boundary = JSON.stringify(context['@aws-cdk/core:permissionsBoundary']);
    for (const { template } of synthesize({ '@aws-cdk/core:permissionsBoundary': boundary }))
      expect(JSON.stringify(template.toJSON())).not.toContain('PermissionsBoundary');
  });
});
