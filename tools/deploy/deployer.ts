import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Deployment } from './deployment.ts';
import { createCaller } from './signed-api.ts';
import { createAws } from './tools/aws-cli.ts';
import { createCdk } from './tools/cdk-cli.ts';

/** How CloudFormation names a log group: on AWS, and on the emulator. */
const logGroupNames = ['log-group:drawbridge-*-', 'log-group:/aws/cloudformation/drawbridge-*/'] as const;

const policy = z.object({ Statement: z.array(z.looseObject({})) });

const deployers = new WeakMap<Deployment, Promise<Deployment>>();

/** The same deployment, operated by a user who has the generated policy of the deployer and nothing else (docs/explanation/emulators.md). */
export function asDeployer(deployment: Deployment): Promise<Deployment> {
  const known = deployers.get(deployment) ?? createDeployer(deployment);
  deployers.set(deployment, known);
  return known;
}

async function createDeployer(deployment: Deployment): Promise<Deployment> {
  const { root, directory } = deployment;
  const file = join(root, 'docs/reference/deployment/deployer-policy.json');
  const text = readFileSync(file, 'utf8').replaceAll(...logGroupNames);
  const { Statement } = policy.parse(JSON.parse(text));
  const { accessKeyId, secretAccessKey } = await createCaller(deployment, 'deployer', Statement);
  const env = { ...deployment.env, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  return { ...deployment, env, aws: createAws({ directory, env }), cdk: createCdk({ root, env }) };
}
