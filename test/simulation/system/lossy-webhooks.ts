import type { Platform } from '#sandbox/platform/app/platform.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';

/**
 * Loses some webhooks about stored persons permanently, so that they are neither delivered nor listed as undelivered. Other
 * webhooks lose their timestamp. Reconciliation can query what these webhooks reported.
 *
 * @returns the body that arrives; undefined when the webhook is lost
 */
export function createLossyWebhooks({ faults, core }: { readonly faults: Faults; readonly core: Platform }) {
  return (body: Buffer): Buffer | undefined => {
    const resource = resourceIn(body, core);
    if (resource === undefined) return body;
    if (faults.happens('webhook lost')) return undefined;
    if (!faults.happens('webhook without a timestamp')) return body;
    const { modifiedOn: _, ...others } = resource;
    return Buffer.from(JSON.stringify(others));
  };
}

/** The resource of a stored person or verification; undefined for an invented one. */
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
