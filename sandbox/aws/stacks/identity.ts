import type { Resource } from './cloud-assembly.ts';

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
  /** The last part of the path in kebab-case, for people: `webhooks`. */
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

export function identify(stackName: string, logicalId: string, resource: Resource, place: Place): Identity {
  const path = constructPath(resource, `${stackName}/${logicalId}`);
  const name = kebabCase(path.slice(path.lastIndexOf('/') + 1));
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
    case 'AWS::IAM::Role':
      return named(logicalId, `arn:aws:iam::${place.account}:role/${logicalId}`);
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
