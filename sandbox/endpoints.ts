import type { Host } from './aws/host.ts';
import { webhooksUrlOf } from './webhook-headers.ts';

/** The addresses of the sandbox for tools: the content of `.sandbox/endpoints.json`. */
export type Endpoints = {
  readonly webhooks: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** The origin of the query and onboarding API. */
  readonly api: string;
  readonly platform: string;
  readonly control: string;
  readonly aws: { readonly dynamodb: string; readonly sqs: string };
  readonly tables: Readonly<Record<string, string>>;
  readonly queues: Readonly<Record<string, string>>;
};

export type EndpointsProps = {
  readonly host: Pick<Host, 'place' | 'blueprint'>;
  readonly platform: string;
  /** The headers that the platform sends with each delivery. */
  readonly webhookHeaders: Readonly<Record<string, string>>;
};

export function describeEndpoints({ host, platform, webhookHeaders }: EndpointsProps): Endpoints {
  const { place, blueprint } = host;
  return {
    webhooks: { url: webhooksUrlOf(host), headers: webhookHeaders },
    api: place.apiOrigin,
    platform,
    control: `${platform}/control`,
    aws: { dynamodb: place.awsOrigin, sqs: place.awsOrigin },
    tables: Object.fromEntries(blueprint.tables.map(({ name, physicalName }) => [name, physicalName])),
    queues: Object.fromEntries(blueprint.queues.map(({ name, ref }) => [name, ref])),
  };
}
