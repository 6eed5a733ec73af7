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
  concurrency: z.object({ group: z.string(), 'cancel-in-progress': z.literal(false) }).optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  steps: z.array(step),
});
const workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  concurrency: z.undefined().optional(),
  jobs: z.record(z.string(), job),
});

const textOf = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const text = textOf('examples/my-bank/.github/workflows/deploy.yml');
const { permissions, jobs } = workflow.parse(parse(text));
const commandsOf = (name: string) => (jobs[name]?.steps ?? []).flatMap(({ run }) => run ?? []).join('\n');

describe('the workflow by which a new repository deploys', () => {
  it('synthesizes, shows the diff, deploys staging, and then production once it is approved', () => {
    expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
      ['synth', undefined],
      ['diff', 'synth'],
      ['staging', 'diff'],
      ['approval', 'staging'],
      ['production', 'approval'],
    ]);
    expect(commandsOf('synth')).toContain('npm run synth -- --context environment=$');
    expect(commandsOf('diff')).toContain('cdk diff --all --method=template');
    for (const name of ['staging', 'production'])
      expect(commandsOf(name)).toContain(`npm run deploy -- --require-approval never --context environment=${name}`);
  });

  it('deploys no pull request, and only in an environment of GitHub, which can require reviewers', () => {
    expect(jobs['staging']?.if).toBe("github.event_name == 'push'");
    const environments = ['staging', 'approval', 'production'].map((name) => jobs[name]?.environment);
    expect(environments).toEqual(['staging', 'production-approval', 'production']);
  });

  it('lets later pushes go on while a deployment waits for its approval, and never deploys an earlier commit over a later one', () => {
    const groups = Object.entries(jobs).map(([name, { concurrency }]) => [name, concurrency?.group]);
    expect(Object.fromEntries(groups)).toEqual({ staging: 'deploy-staging', production: 'deploy-production' });
    expect(commandsOf('production').split('\n')[0]).toBe(
      'test "$(git ls-remote origin refs/heads/main | cut -f 1)" = "$GITHUB_SHA"',
    );
  });

  it('gives a token to the jobs that take a role, and to no other, and names no stored key', () => {
    const takesRole = ({ steps }: z.infer<typeof job>) => steps.some((one) => one.with['role-to-assume'] !== undefined);
    const token = ({ permissions: own = permissions }: z.infer<typeof job>) => own['id-token'];
    expect(Object.values(jobs).map((one) => [takesRole(one), token(one)])).toEqual([
      [false, undefined],
      [true, 'write'],
      [true, 'write'],
      [false, undefined],
      [true, 'write'],
    ]);
    expect(text).not.toMatch(/secrets\.|access-key/);
  });

  it('does nothing in a repository that has not turned it on', () => {
    expect(jobs['synth']?.if).toContain("vars.DEPLOY_FROM_CI == 'true'");
  });
});

describe('the workflow that publishes a release', () => {
  const release = z
    .looseObject({
      permissions: z.record(z.string(), z.string()),
      jobs: z.record(z.string(), z.looseObject({ ...job.shape, needs: z.array(z.string()).optional() })),
    })
    .parse(parse(textOf('.github/workflows/release.yml')));

  it('gives rights to one job only, which runs after the tests and runs no code of the repository', () => {
    expect(release.permissions).toEqual({ contents: 'read' });
    const withRights = Object.entries(release.jobs).filter(([, one]) => one.permissions !== undefined);
    expect(withRights.map(([name, { needs }]) => [name, needs])).toEqual([['publish', ['test', 'build']]]);
    const steps = withRights.flatMap(([, one]) => one.steps);
    expect(steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
    expect(steps.flatMap(({ run = '' }) => run.split(' ')[0] || [])).toEqual(['sha256sum', 'npm', 'gh']);
  });
});
