import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deployedRoutes } from '#test/infra/deployed-routes.ts';
import { deployedStack, theResource } from '#test/infra/deployed-stack.ts';
import { root } from './markdown-pages.ts';
import { writeTable } from './write-table.ts';

const path = join(root, 'docs/reference/api.md');
const page = readFileSync(path, 'utf8');

const throttle = z.looseObject({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() });
const stage = z.looseObject({ DefaultRouteSettings: throttle, RouteSettings: z.record(z.string(), throttle) });

function writeRoutes(): string {
  const { Properties } = theResource(deployedStack('service'), 'AWS::ApiGatewayV2::Stage');
  const { DefaultRouteSettings, RouteSettings } = stage.parse(Properties);
  const rows = deployedRoutes().map(({ key, access }) => {
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = RouteSettings[key] ?? DefaultRouteSettings;
    return [`\`${key}\``, access, `${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`];
  });
  return `${writeTable(['Route', 'Access', 'Throttle: rate, burst'], rows)}\n`;
}

describe('docs/reference/api.md', () => {
  it('lists the routes of the deployed API with access and throttle: run npx vitest run test/docs -u', async () => {
    const [before, after] = [page.indexOf('<!-- routes -->\n') + 16, page.indexOf('<!-- /routes -->')];
    await expect(page.slice(0, before) + writeRoutes() + page.slice(after)).toMatchFileSnapshot(path);
  });

  it('has a section for each route, and for no other', () => {
    const headings = [...page.matchAll(/^### `([A-Z]+ .*)`$/gm)].map(([, key]) => key);
    expect(headings.toSorted()).toEqual(
      deployedRoutes()
        .map(({ key }) => key)
        .toSorted(),
    );
  });
});
