import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { rulePacks } from '#infra/rule-packs.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { createCheckedApp } from './trial-app.ts';

const reasons = z.record(z.string(), z.string());

type Acknowledgement = {
  readonly node: IConstruct;
  readonly rule: string;
  readonly reason: string;
};

/** The acknowledgements of a construct tree, which the tree has no more if they are removed. */
function acknowledgementsIn(root: IConstruct, { remove }: { readonly remove: boolean } = { remove: false }) {
  const found: Acknowledgement[] = [];
  for (const node of root.node.findAll()) {
    const entries = node.node.metadata.filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY);
    for (const { data } of entries)
      for (const [id, reason] of Object.entries(reasons.parse(data))) {
        found.push({ node, rule: id.replace(/^annotation::/i, ''), reason });
        if (remove) Reflect.deleteProperty(data, id);
      }
  }
  return found;
}

type Finding = { readonly rule: string; readonly paths: readonly string[] };

function findings(root: IConstruct): readonly Finding[] {
  return rulePacks(root).flatMap((pack) => {
    const { violations } = pack.validateScope(root);
    return violations.map(({ ruleName, violatingResources }) => ({
      rule: ruleName,
      paths: violatingResources.map(({ constructPath }) => constructPath ?? ''),
    }));
  });
}

/** Synthesizes a stack and returns its findings. */
function expectRefused(change: (stack: Stack) => void, finding: string): void {
  const { app, service } = createCheckedApp();
  change(service);
  expect(() => app.synth()).toThrow(finding);
}

describe('the findings of cdk-nag', () => {
  it('are empty for the synthesized stacks, including warnings', () => {
    const report = z
      .object({ pluginReports: z.array(z.unknown()) })
      .parse(JSON.parse(readFileSync(join(inject('assembly'), 'validation-report.json'), 'utf8')));
    expect(report.pluginReports).toEqual([]);
  });

  it('are empty for an environment with default settings', () => {
    const { app } = createCheckedApp();
    expect(findings(app)).toEqual([]);
    expect(app.synth().stacks).toHaveLength(2);
  });

  it('are empty for an environment with every setting', () => {
    expect(findings(createCheckedApp(everySetting).app)).toEqual([]);
  });

  it('come with no warning of the CDK for the synthesized stacks', () => {
    const metadata = z.record(z.string(), z.array(z.object({ type: z.string(), data: z.unknown() })));
    const annotations = globSync('*.metadata.json', { cwd: inject('assembly') })
      .map((file) => metadata.parse(JSON.parse(readFileSync(join(inject('assembly'), file), 'utf8'))))
      .flatMap((ofStack) => Object.values(ofStack).flat());
    expect(annotations.map(({ type }) => type)).toContain('aws:cdk:logicalId');
    expect(annotations.filter(({ type }) => /^aws:cdk:(info|warning|error)$/.test(type))).toEqual([]);
  });
});

describe('a synthesis with a finding', () => {
  it('fails for a queue without TLS', () => {
    expectRefused((stack) => new Queue(stack, 'Plain'), 'AwsSolutions-SQS4');
  });

  it('fails for a queue without a dead-letter queue, by the serverless rules', () => {
    expectRefused((stack) => new Queue(stack, 'Plain', { enforceSSL: true }), 'Serverless-SQSRedrivePolicy');
  });

  it('fails for a function without tracing, which is only a warning', () => {
    const code = Code.fromInline('0');
    expectRefused(
      (stack) => new LambdaFunction(stack, 'Plain', { code, runtime: Runtime.NODEJS_LATEST, handler: 'index.handler' }),
      'Serverless-LambdaTracing',
    );
  });
});

describe('an acknowledged rule of cdk-nag', () => {
  it('has a reason that is a sentence', () => {
    const acknowledgements = [{}, everySetting].flatMap((one) => acknowledgementsIn(createCheckedApp(one).app));
    expect(acknowledgements.length).toBeGreaterThan(0);
    for (const { rule, reason } of acknowledgements) expect(reason, rule).toMatch(/^[A-Z].{30,}\.$/);
  });

  it.each([
    ['default settings', {}],
    ['every setting', everySetting],
  ])('has a finding without the acknowledgement, with %s', (_, settings) => {
    const { app } = createCheckedApp(settings);
    const removed = acknowledgementsIn(app, { remove: true });
    const found = findings(app);
    const isNeeded = ({ node, rule }: Acknowledgement) =>
      found.some((one) => one.rule === rule && one.paths.some((path) => `${path}/`.startsWith(`${node.node.path}/`)));
    expect(removed.length).toBeGreaterThan(100);
    const unneeded = removed.filter((one) => !isNeeded(one));
    expect(unneeded.map(({ node, rule }) => `${node.node.path}: ${rule}`)).toEqual([]);
  });

  it('applies to a construct and never to a whole stack', () => {
    const wide = acknowledgementsIn(createCheckedApp().app).filter(
      ({ node }) => Stack.isStack(node) || App.isApp(node),
    );
    expect(wide.map(({ rule }) => rule)).toEqual([]);
  });
});
