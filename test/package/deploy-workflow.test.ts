import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const job = z.looseObject({
  needs: z.string().optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.looseObject({ permissions: z.record(z.string(), z.string()), jobs: z.record(z.string(), job) });

const text = readFileSync(join(repositoryRoot, 'examples/my-bank/.github/workflows/deploy.yml'), 'utf8');
const { permissions, jobs } = workflow.parse(parse(text));
const commandsOf = (name: string) => (jobs[name]?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');

describe('the workflow by which a new repository deploys', () => {
  it('synthesizes, shows the diff, deploys staging, and then production', () => {
    expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
      ['synth', undefined],
      ['diff', 'synth'],
      ['staging', 'diff'],
      ['production', 'staging'],
    ]);
    expect(commandsOf('synth')).toContain('npm run synth -- --context environment=$');
    expect(commandsOf('diff')).toContain('cdk diff --all --method=template');
    for (const name of ['staging', 'production'])
      expect(commandsOf(name)).toContain(`npm run deploy -- --require-approval never --context environment=${name}`);
  });

  it('deploys no pull request, and only in an environment of GitHub, which can require reviewers', () => {
    expect(jobs['staging']?.if).toBe("github.event_name == 'push'");
    expect(['staging', 'production'].map((name) => jobs[name]?.environment)).toEqual(['staging', 'production']);
  });

  it('gives a token to the jobs that take a role, and to no other, and names no stored key', () => {
    const takesRole = ({ steps }: z.infer<typeof job>) => steps.some((one) => one.with['role-to-assume'] !== undefined);
    const token = ({ permissions: own = permissions }: z.infer<typeof job>) => own['id-token'];
    expect(Object.values(jobs).map((one) => [takesRole(one), token(one)])).toEqual([
      [false, undefined],
      [true, 'write'],
      [true, 'write'],
      [true, 'write'],
    ]);
    expect(text).not.toMatch(/secrets\.|access-key/);
  });

  it('does nothing in a repository that has not turned it on', () => {
    expect(jobs['synth']?.if).toContain("vars.DEPLOY_FROM_CI == 'true'");
  });
});
