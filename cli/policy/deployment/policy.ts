/** A statement of an IAM policy. */
export type Statement = {
  readonly Sid: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

/** An IAM policy. */
export type Policy = { readonly Version: '2012-10-17'; readonly Statement: readonly Statement[] };

/** Commercial regions, GovCloud, and China. */
export const partitions = ['aws', 'aws-us-gov', 'aws-cn'] as const;

/** Where a policy holds: in all regions of the account, for one environment. */
export type PolicyScope = {
  readonly partition: (typeof partitions)[number];
  readonly account: string;
  readonly environment: string;
};

/** CloudFormation keeps so many characters of a stack's name if a generated name would be too long. */
const keptCharacters = 24;

/** The tag of every resource of the stacks. Distinguishes the key of the environment from the other keys of the account. */
export const environmentTag = 'drawbridge:environment';

export type StackName = 'data' | 'service';

/** The ARNs of the resources of an environment, as patterns. @param stacks of the generated names: both unless given */
export function arnsOf(
  { partition, account, environment }: PolicyScope,
  stacks: readonly StackName[] = ['data', 'service'],
) {
  const stackNames = stacks.map((stack) => `drawbridge-${environment}-${stack}`);
  const prefixes = [...new Set(stackNames.map((name) => `${name.slice(0, keptCharacters)}*`))];
  const arn = (service: string, resource: string) => `arn:${partition}:${service}:*:${account}:${resource}`;
  const global = (service: string, resource: string) => `arn:${partition}:${service}::${account}:${resource}`;
  const suffix = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';
  return {
    arn,
    global,
    /** Of resources whose names CloudFormation generates. @param before such as `table/` */
    generated: (service: string, before = '') => prefixes.map((name) => arn(service, `${before}${name}`)),
    roles: prefixes.map((name) => global('iam', `role/${name}`)),
    /** CloudFormation makes up the names, and no documentation says whether they begin with that of the stack. */
    secrets: [
      ...['PlatformCredentials', 'PlatformToken', 'WebhookSecret'].map((name) =>
        arn('secretsmanager', `secret:${name}*`),
      ),
      ...prefixes.map((name) => arn('secretsmanager', `secret:${name}`)),
    ],
    stacks: stackNames.map((name) => arn('cloudformation', `stack/${name}/*`)),
    bus: arn('events', `event-bus/drawbridge-${environment}`),
    boundary: global('iam', `policy/${boundaryNameOf(environment)}`),
    managed: (name: string) => `arn:${partition}:iam::aws:policy/${name}`,
    /** The condition on a key: it is that of the environment. */
    ownKey: { [`aws:ResourceTag/${environmentTag}`]: environment },
    /** A service as `kms:ViaService` names it. */
    via: (service: string) => `${service}.*.${suffix}`,
  };
}

export type Arns = ReturnType<typeof arnsOf>;

/** The name of the managed policy that bounds the roles of an environment. */
export function boundaryNameOf(environment: string): string {
  return `drawbridge-${environment}-boundary`;
}
