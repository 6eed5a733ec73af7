import type { Platform } from '#sandbox/platform/app/platform.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';

/**
 * What becomes of the webhooks of persons that the platform really has: some are lost for good, neither delivered nor kept
 * as undelivered, and some do not say of when they are. What they told can be asked for.
 *
 * @returns the body that arrives; undefined where it never does
 */
export function createLossyWebhooks({ faults, core }: { readonly faults: Faults; readonly core: Platform }) {
  return (body: Buffer): Buffer | undefined => {
    const resource = resourceIn(body, core);
    if (resource === undefined) return body;
    if (faults.happens('webhook lost')) return undefined;
    if (!faults.happens('webhook without a time')) return body;
    const { modifiedOn: _, ...others } = resource;
    return Buffer.from(JSON.stringify(others));
  };
}

/** Of a person or a verification that the platform has; undefined of what is made up. */
function resourceIn(body: Buffer, { statusOf }: Platform): Readonly<Record<string, unknown>> | undefined {
  if (!body.includes('"naturalPersonId"')) return undefined;
  const resource = parse(body);
  return statusOf(String(resource?.['naturalPersonId'])) === undefined ? undefined : resource;
}

function parse(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
