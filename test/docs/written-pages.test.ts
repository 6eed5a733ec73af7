import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routesIn } from '#docs/generate/api/write-api-page.ts';
import { root } from '#docs/generate/markdown-pages.ts';
import { checkRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { deployedResources } from '#test/infra/deployed-resources.ts';
import { promiseNumbers } from '#test/simulation/promises/promise.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const namesIn = (path: string, pattern: RegExp) => [...read(path).matchAll(pattern)].map(([, name]) => name).toSorted();

describe('a page that is written manually', () => {
  it('has a section for each route of the stacks, and for no other: docs/reference/api.md', () => {
    const routes = routesIn(deployedResources('service')).map(({ key }) => key);
    expect(namesIn('docs/reference/api.md', /^### `([A-Z]+ .*)`$/gm)).toEqual(routes.toSorted());
  });

  it('has a row for each script of package.json, and for no other: docs/reference/commands.md', () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
    expect(namesIn('docs/reference/commands.md', /^\| `npm (?:run )?([\w:-]+)` \|/gm)).toEqual(
      Object.keys(scripts).toSorted(),
    );
  });

  it.each(promiseNumbers)(
    'names each check of promise %i in the simulation, and no other: docs/explanation/promises.md',
    (number) => {
      const checks = globSync('test/simulation/promises/*.ts', { cwd: root }).filter((file) =>
        new RegExp(`promise: ${number}\\b`).test(read(file)),
      );
      const [section = ''] = new RegExp(`^## ${number}\\. [^#]*`, 'm').exec(read('docs/explanation/promises.md')) ?? [];
      const [row = ''] = /^- simulation: .*/m.exec(section) ?? [];
      expect([...row.matchAll(/\(\.\.\/\.\.\/(.*?)\)/g)].map(([, file]) => file)).toEqual(checks.toSorted());
    },
  );

  it('asks the operator for each field of the platform profile that is not our own choice: docs/how-to/deploy.md', () => {
    const ownChoices = [
      // How long we wait for an answer.
      'deadlines',
    ];
    const [, list = ''] =
      /### Ask the operator of the platform\n(.*?)\n### /s.exec(read('docs/how-to/deploy.md')) ?? [];
    const asked = [...list.matchAll(/`platformProfile\.(\w+)/g)].map(([, name]) => name);
    expect([...new Set([...asked, ...ownChoices])].toSorted()).toEqual(
      Object.keys(platformProfile.def.in.shape).toSorted(),
    );
  });

  it('shows a request that is accepted: docs/how-to/onboard.md', () => {
    const request: unknown = JSON.parse(/```json\n(.*?)```/s.exec(read('docs/how-to/onboard.md'))?.[1] ?? '');
    expect(checkRequest(request, new Date('2026-11-21T08:00:00Z'), platformProfile.parse({}))).toEqual({ request });
  });
});
