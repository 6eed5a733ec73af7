import type { Resource, SynthesizedStack } from './cloud-assembly.ts';

/** The account that everything on the laptop belongs to: fauxqs knows no other. */
export const sandboxAccount = '000000000000';

/** Where the sandbox pretends to be, and where its servers really are. */
export type Place = {
  readonly account: string;
  readonly region: string;
  /** The origin of all AWS APIs: queue URLs begin with it, since the SDK sends to the host of the queue URL. */
  readonly awsOrigin: string;
  /** The origin of the HTTP API. */
  readonly apiOrigin: string;
};

/** How a resource is called, and what `Ref` and `Fn::GetAtt` give for it. */
export type Identity = {
  readonly logicalId: string;
  readonly stackName: string;
  /** Its place among the constructs: `drawbridge-sandbox-service/WebhookIngest/Webhooks`. */
  readonly path: string;
  /** For people, and different from all others of the type: the last parts of the path in kebab-case, such as `webhooks`. */
  readonly name: string;
  /** What the service calls it: `drawbridge-sandbox-service-webhooks`. */
  readonly physicalName: string;
  readonly arn: string;
  readonly ref: string;
  readonly attributes: ReadonlyMap<string, string>;
};

/** What CloudFormation calls a stack. */
export function stackId(stackName: string, { region, account }: Pick<Place, 'region' | 'account'>): string {
  return `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/sandbox`;
}

/** Constructs that wrap a resource: their names say nothing. */
const wrappers = new Set(['Resource', 'Default', 'Function', 'Archive']);

/** Drawbridge's own stacks: tools find their resources by short names, which a partner's resource must not take. */
const ownStack = /^drawbridge-.*-(?:data|service)$/;

/**
 * Names each resource by the last part of its path, or by as many last parts as distinguish it from the others of its type. Drawbridge's
 * own resources are named first, so that their names do not depend on what a partner adds.
 *
 * @returns the name of a resource
 */
export function nameResources(stacks: readonly SynthesizedStack[]): (stackName: string, logicalId: string) => string {
  const all = stacks.flatMap(({ name: stackName, template }) =>
    Object.entries(template.Resources).map(([logicalId, resource]) => ({ stackName, logicalId, resource })),
  );
  const names = new Map<string, string>();
  for (const ofType of Map.groupBy(all, ({ resource }) => resource.Type).values()) {
    const taken = new Set<string>();
    for (const isOwn of [true, false]) {
      let open = ofType.filter(({ stackName }) => ownStack.test(stackName) === isOwn);
      for (let count = 1; open.length > 0; count += 1) {
        const byName = Map.groupBy(open, (one) => lastParts(one, count));
        open = [];
        for (const [name, alike] of byName) {
          const [only] = alike;
          if (only === undefined || alike.length > 1 || taken.has(name)) open.push(...alike);
          else names.set(idOf(only), name);
        }
        for (const name of byName.keys()) taken.add(name);
      }
    }
  }
  return (stackName, logicalId) => names.get(idOf({ stackName, logicalId })) ?? idOf({ stackName, logicalId });
}

type Placed = { readonly stackName: string; readonly logicalId: string; readonly resource: Resource };

/** No other resource has it, of any stack: a logical id has no hyphen. */
function idOf({ stackName, logicalId }: Omit<Placed, 'resource'>): string {
  return `${stackName}-${logicalId}`;
}

/** So many last parts of the path, and the id if the path has no more. */
function lastParts(declared: Placed, count: number): string {
  const { resource, stackName, logicalId } = declared;
  const parts = constructPath(resource, `${stackName}/${logicalId}`).split('/');
  return count > parts.length ? idOf(declared) : kebabCase(parts.slice(-count).join('-'));
}

/** @param name that of {@link nameResources} */
export function identify(
  { name: stackName }: Pick<SynthesizedStack, 'name'>,
  logicalId: string,
  resource: Resource,
  { name, place }: { readonly name: string; readonly place: Place },
): Identity {
  const path = constructPath(resource, `${stackName}/${logicalId}`);
  const physicalName = `${stackName}-${name}`;
  const identity = { logicalId, stackName, path, name, physicalName };
  const arn = (service: string, id: string) => `arn:aws:${service}:${place.region}:${place.account}:${id}`;
  const named = (ref: string, ownArn: string, attributes: Record<string, string> = {}): Identity => ({
    ...identity,
    arn: ownArn,
    ref,
    attributes: new Map(Object.entries({ Arn: ownArn, ...attributes })),
  });
  switch (resource.Type) {
    case 'AWS::SQS::Queue': {
      const queueName = isFifo(resource) ? `${physicalName}.fifo` : physicalName;
      const url = `${place.awsOrigin}/${place.account}/${queueName}`;
      return {
        ...named(url, arn('sqs', queueName), { QueueName: queueName, QueueUrl: url }),
        physicalName: queueName,
      };
    }
    case 'AWS::DynamoDB::Table':
      return named(physicalName, arn('dynamodb', `table/${physicalName}`));
    case 'AWS::SecretsManager::Secret': {
      const secretArn = arn('secretsmanager', `secret:${physicalName}`);
      return named(secretArn, secretArn, { Id: secretArn });
    }
    case 'AWS::Lambda::Function':
      return named(physicalName, arn('lambda', `function:${physicalName}`));
    case 'AWS::ApiGatewayV2::Api':
      return named(physicalName, arn('apigateway', physicalName), {
        ApiEndpoint: place.apiOrigin,
        ApiId: physicalName,
      });
    case 'AWS::Events::EventBus': {
      const busName = ownName(resource) ?? physicalName;
      return {
        ...named(busName, arn('events', `event-bus/${busName}`), { Name: busName }),
        physicalName: busName,
      };
    }
    case 'AWS::CloudWatch::Alarm':
    case 'AWS::CloudWatch::CompositeAlarm': {
      const { AlarmName } = resource.Properties;
      const alarmName = typeof AlarmName === 'string' ? AlarmName : physicalName;
      return { ...named(alarmName, arn('cloudwatch', `alarm:${alarmName}`)), physicalName: alarmName };
    }
    case 'AWS::Events::Rule':
      return named(physicalName, arn('events', `rule/${physicalName}`));
    case 'AWS::Events::Archive':
      return named(physicalName, arn('events', `archive/${physicalName}`), { ArchiveName: physicalName });
    case 'AWS::Scheduler::Schedule':
      return named(physicalName, arn('scheduler', `schedule/default/${physicalName}`));
    case 'AWS::SNS::Topic': {
      const topicArn = arn('sns', physicalName);
      return named(topicArn, topicArn, { TopicArn: topicArn, TopicName: physicalName });
    }
    case 'AWS::KMS::Key':
      return named(physicalName, arn('kms', `key/${physicalName}`), { KeyId: physicalName });
    case 'AWS::Logs::LogGroup': {
      // As CloudFormation names it, without the random part.
      const groupName = `${stackName}-${logicalId}`;
      return { ...named(groupName, arn('logs', `log-group:${groupName}`)), physicalName: groupName };
    }
    case 'AWS::IAM::Role': {
      // As CloudFormation names it, without the random part: the roles of two stacks may have one logical id.
      const roleName = `${stackName}-${logicalId}`;
      return named(roleName, `arn:aws:iam::${place.account}:role/${roleName}`);
    }
    default:
      return named(logicalId, arn('sandbox', `${stackName}/${logicalId}`));
  }
}

/** SQS wants the names of FIFO queues to end in `.fifo`; CloudFormation adds it to those that it makes up. */
function isFifo({ Properties }: Resource): boolean {
  return String(Properties['FifoQueue']) === 'true';
}

/** The name that a template gives: others, who know no reference to the resource, use it. */
function ownName({ Properties }: Resource): string | undefined {
  const { Name } = Properties;
  return typeof Name === 'string' ? Name : undefined;
}

function constructPath(resource: Resource, otherwise: string): string {
  const segments = (resource.Metadata['aws:cdk:path'] ?? otherwise).split('/');
  while (segments.length > 2 && wrappers.has(segments.at(-1) ?? '')) segments.pop();
  return segments.join('/');
}

function kebabCase(word: string): string {
  return word
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .toLowerCase();
}
