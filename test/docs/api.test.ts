import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deployedStack, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';
import { root } from './markdown-pages.ts';
import { writeTable } from './write-table.ts';

const path = join(root, 'docs/reference/api.md');
const page = readFileSync(path, 'utf8');

/** A route of the deployed API, as the page writes it. */
type Route = { readonly key: string; readonly access: string };

const routeProperties = z.looseObject({ RouteKey: z.unknown(), AuthorizationType: z.string() });
const joined = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

function routes(): readonly Route[] {
  return resourcesOf(deployedStack('service'), 'AWS::ApiGatewayV2::Route')
    .map(({ Properties }) => routeProperties.parse(Properties))
    .map(({ RouteKey, AuthorizationType }) => ({
      key: writeKey(RouteKey),
      access: AuthorizationType === 'AWS_IAM' ? 'IAM' : 'the header secret',
    }))
    .toSorted((one, other) => (one.key.split(' ')[1] ?? '').localeCompare(other.key.split(' ')[1] ?? ''));
}

/** What only the deployment knows of a key is the random part of the webhooks URL. */
function writeKey(key: unknown): string {
  const parts = joined.safeParse(key);
  if (!parts.success) return z.string().parse(key);
  return parts.data['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : '{random part}')).join('');
}

const throttle = z.looseObject({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() });
const stage = z.looseObject({ DefaultRouteSettings: throttle, RouteSettings: z.record(z.string(), throttle) });

function writeRoutes(): string {
  const { Properties } = theResource(deployedStack('service'), 'AWS::ApiGatewayV2::Stage');
  const { DefaultRouteSettings, RouteSettings } = stage.parse(Properties);
  const rows = routes().map(({ key, access }) => {
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
      routes()
        .map(({ key }) => key)
        .toSorted(),
    );
  });
});
