import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { rulePacks } from '#infra/create-app.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { createCheckedApp } from './shared-trial-apps.ts';

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

describe('the synthesis of the stacks', () => {
  it('has no warning of the CDK', () => {
    const metadata = z.record(z.string(), z.array(z.object({ type: z.string(), data: z.unknown() })));
    const annotations = globSync('*.metadata.json', { cwd: inject('assembly') })
      .map((file) => metadata.parse(JSON.parse(readFileSync(join(inject('assembly'), file), 'utf8'))))
      .flatMap((ofStack) => Object.values(ofStack).flat());
    expect(annotations.map(({ type }) => type)).toContain('aws:cdk:logicalId');
    expect(annotations.filter(({ type }) => /^aws:cdk:(info|warning|error)$/.test(type))).toEqual([]);
  });
});

it('fails the synthesis for each finding, one of the serverless rules and a mere warning included', () => {
  const { app, service } = createCheckedApp();
  new Queue(service, 'WithoutTls');
  new Queue(service, 'WithoutDeadLetters', { enforceSSL: true });
  const code = Code.fromInline('0');
  new LambdaFunction(service, 'WithoutTracing', { code, runtime: Runtime.NODEJS_LATEST, handler: 'index.handler' });
  const rules = ['AwsSolutions-SQS4', 'Serverless-SQSRedrivePolicy', 'Serverless-LambdaTracing'];
  let message = '';
  try {
    app.synth();
  } catch (error) {
    message = String(error);
  }
  expect(rules.filter((rule) => message.includes(rule))).toEqual(rules);
});

describe.each([
  ['default settings', {}],
  ['every setting', everySetting],
])('a rule of cdk-nag, for an environment with %s', (_, settings) => {
  const { app } = createCheckedApp(settings);
  const found = findings(app);
  const acknowledged = acknowledgementsIn(app);
  const foundWithout = () => {
    acknowledgementsIn(app, { remove: true });
    return findings(app);
  };

  it('has no finding', () => {
    expect(found).toEqual([]);
  });

  it('is acknowledged with a reason that is a sentence', () => {
    expect(acknowledged.length).toBeGreaterThan(100);
    for (const { rule, reason } of acknowledged) expect(reason, rule).toMatch(/^[A-Z].{30,}\.$/);
  });

  it('is acknowledged for a construct, and never for a whole stack', () => {
    const wide = acknowledged.filter(({ node }) => Stack.isStack(node) || App.isApp(node));
    expect(wide.map(({ rule }) => rule)).toEqual([]);
  });

  it('has a finding for each acknowledgement that is removed', () => {
    const without = foundWithout();
    const unneeded = acknowledged.filter(
      ({ node, rule }) =>
        !without.some(
          (one) => one.rule === rule && one.paths.some((path) => `${path}/`.startsWith(`${node.node.path}/`)),
        ),
    );
    expect(unneeded.map(({ node, rule }) => `${node.node.path}: ${rule}`)).toEqual([]);
  });
});
