import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Code, type FunctionProps, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

/** Declares the resources of a small stack. */
export type Declare = (stack: Stack) => void;

export type FixtureAssembly = { readonly directory: string; readonly remove: () => void };

const sources = 'fixture:sources';

/** Synthesizes a stack called `fixture` in a directory of its own. */
export function synthesizeFixture(declare: Declare): FixtureAssembly {
  const root = mkdtempSync(join(tmpdir(), 'drawbridge-fixture-'));
  const app = new App({
    outdir: join(root, 'assembly'),
    analyticsReporting: false,
    treeMetadata: false,
    // A fixture may hold what CloudFormation would refuse: a visibility timeout short enough for a test.
    builtinCloudFormationValidation: false,
    context: { 'aws:cdk:enable-path-metadata': true, [sources]: join(root, 'sources') },
  });
  declare(new Stack(app, 'fixture'));
  return { directory: app.synth().directory, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A function of one CommonJS file: `exports.handler = …`. */
export function addFunction(
  stack: Stack,
  id: string,
  source: string,
  props: Partial<FunctionProps> = {},
): LambdaFunction {
  const directory = join(String(stack.node.getContext(sources)), id);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'index.js'), source);
  return new LambdaFunction(stack, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromAsset(directory),
    ...props,
  });
}
