import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { createTrialApp } from './trial-app.ts';

const reasons = z.record(z.string(), z.string());

type Acknowledgement = {
  readonly node: IConstruct;
  readonly rule: string;
  readonly reason: string;
  /** Checks without it, and says whether its rule then finds something. */
  readonly isNeeded: () => boolean;
};

function acknowledgementsIn(root: IConstruct): readonly Acknowledgement[] {
  return root.node.findAll().flatMap((node) =>
    node.node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) =>
        Object.entries(reasons.parse(data)).map(([id, reason]) => {
          const rule = id.replace(/^annotation::/i, '');
          const isNeeded = () => {
            Reflect.deleteProperty(data, id);
            const found = findings(root).includes(rule);
            Reflect.set(data, id, reason);
            return found;
          };
          return { node, rule, reason, isNeeded };
        }),
      ),
  );
}

function findings(root: IConstruct): readonly string[] {
  const packs = [new AwsSolutionsChecks(root), new ServerlessChecks(root)];
  return packs.flatMap((pack) => pack.validateScope(root).violations.map(({ ruleName }) => ruleName));
}

/** The stack is found to be wrong when it is synthesized. */
function expectRefused(change: (stack: Stack) => void, finding: string): void {
  const { app, service } = createTrialApp();
  change(service);
  expect(() => app.synth()).toThrow(finding);
}

describe('design: cdk-nag leaves no finding unexplained', () => {
  it('in what is synthesized, warnings included', () => {
    const report = z
      .object({ pluginReports: z.array(z.unknown()) })
      .parse(JSON.parse(readFileSync(join(inject('assembly'), 'validation-report.json'), 'utf8')));
    expect(report.pluginReports).toEqual([]);
  });

  it('in an environment of defaults', () => {
    const { app } = createTrialApp();
    expect(findings(app)).toEqual([]);
    expect(app.synth().stacks).toHaveLength(2);
  });

  it('nor does the CDK itself, in what is synthesized', () => {
    const metadata = z.record(z.string(), z.array(z.object({ type: z.string(), data: z.unknown() })));
    const annotations = globSync('*.metadata.json', { cwd: inject('assembly') })
      .map((file) => metadata.parse(JSON.parse(readFileSync(join(inject('assembly'), file), 'utf8'))))
      .flatMap((ofStack) => Object.values(ofStack).flat());
    expect(annotations.map(({ type }) => type)).toContain('aws:cdk:logicalId');
    expect(annotations.filter(({ type }) => /^aws:cdk:(info|warning|error)$/.test(type))).toEqual([]);
  });
});

describe('design: cdk-nag refuses to synthesize what it finds', () => {
  it('a queue without TLS', () => {
    expectRefused((stack) => new Queue(stack, 'Plain'), 'AwsSolutions-SQS4');
  });

  it('a queue without a dead-letter queue, by the rules for serverless applications', () => {
    expectRefused((stack) => new Queue(stack, 'Plain', { enforceSSL: true }), 'Serverless-SQSRedrivePolicy');
  });

  it('a function without tracing, a mere warning', () => {
    const code = Code.fromInline('0');
    expectRefused(
      (stack) => new LambdaFunction(stack, 'Plain', { code, runtime: Runtime.NODEJS_LATEST, handler: 'index.handler' }),
      'Serverless-LambdaTracing',
    );
  });
});

describe('design: an acknowledged rule has a reason, and is needed', () => {
  it('says why, in a sentence', () => {
    const acknowledgements = acknowledgementsIn(createTrialApp().app);
    expect(acknowledgements.length).toBeGreaterThan(0);
    for (const { rule, reason } of acknowledgements) expect(reason, rule).toMatch(/^[A-Z].{30,}\.$/);
  });

  it('would be found without it', () => {
    const unneeded = acknowledgementsIn(createTrialApp().app).filter(({ isNeeded }) => !isNeeded());
    expect(unneeded.map(({ node, rule }) => `${node.node.path}: ${rule}`)).toEqual([]);
  });

  it('holds for a construct, never for a stack or all of them', () => {
    const wide = acknowledgementsIn(createTrialApp().app).filter(({ node }) => Stack.isStack(node) || App.isApp(node));
    expect(wide.map(({ rule }) => rule)).toEqual([]);
  });
});
