import * as z from 'zod';
import { deployedRoutes } from '#test/infra/deployed-routes.ts';
import { deployedStack, theResource } from '#test/infra/deployed-stack.ts';
import { pagesCommand } from './generated.ts';
import { writeTable } from './write-table.ts';

const throttle = z.looseObject({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() });
const stage = z.looseObject({ DefaultRouteSettings: throttle, RouteSettings: z.record(z.string(), throttle) });

/** `docs/reference/api.md` with the table of the deployed routes: each with its access and its throttle. */
export function writeApiPage(page: string): string {
  const { Properties } = theResource(deployedStack('service'), 'AWS::ApiGatewayV2::Stage');
  const { DefaultRouteSettings, RouteSettings } = stage.parse(Properties);
  const rows = deployedRoutes().map(({ key, access }) => {
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = RouteSettings[key] ?? DefaultRouteSettings;
    return [`\`${key}\``, access, `${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`];
  });
  const table = writeTable(['Route', 'Access', 'Throttle: rate, burst'], rows);
  return page
    .replace(/<!-- Generated: .*? -->/, `<!-- Generated: ${pagesCommand} -->`)
    .replace(/(?<=<!-- routes -->\n)[\s\S]*?(?=<!-- \/routes -->)/, () => `${table}\n`);
}
