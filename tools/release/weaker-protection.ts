import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ReleaseTemplate } from './release-templates.ts';

type Rule = {
  readonly type: string;
  /** Whether the property protects data less than before. */
  readonly isWeaker: (old: unknown, now: unknown) => boolean;
  readonly property: string;
  readonly what: string;
};

const pointInTimeRecovery = z.looseObject({ PointInTimeRecoveryEnabled: z.literal(true) });
const isRecoverable = (value: unknown) => pointInTimeRecovery.safeParse(value).success;

/** CloudFormation's default, 4 days. */
const defaultMessageRetention = 345_600;

const isChanged = (old: unknown, now: unknown) => !isDeepStrictEqual(old, now);

/** Whether a time to keep data is shorter, if a missing time has a meaning of its own. */
const isShorter = (missing: number) => (old: unknown, now: unknown) => {
  const time = z._default(z.number(), missing);
  return time.parse(now) < time.parse(old);
};

/** What a change of a property would lose, although CloudFormation updates the resource in place. */
const rules: readonly Rule[] = [
  {
    type: 'AWS::DynamoDB::Table',
    property: 'PointInTimeRecoverySpecification',
    isWeaker: (old, now) => isRecoverable(old) && !isRecoverable(now),
    what: 'no longer recovers lost rows',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'DeletionProtectionEnabled',
    isWeaker: (old, now) => old === true && now !== true,
    what: 'no longer refuses a deletion',
  },
  {
    type: 'AWS::DynamoDB::Table',
    property: 'TimeToLiveSpecification',
    isWeaker: (old, now) => old !== undefined && isChanged(old, now),
    what: 'no longer expires the rows that it has',
  },
  {
    type: 'AWS::SQS::Queue',
    property: 'MessageRetentionPeriod',
    isWeaker: isShorter(defaultMessageRetention),
    what: 'loses messages that wait for longer',
  },
  {
    type: 'AWS::SQS::Queue',
    property: 'RedrivePolicy',
    isWeaker: (old, now) => old !== undefined && now === undefined,
    what: 'loses messages that no function can process',
  },
  {
    type: 'AWS::Events::Archive',
    property: 'RetentionDays',
    isWeaker: isShorter(Number.POSITIVE_INFINITY),
    what: 'loses older events',
  },
  {
    type: 'AWS::Logs::LogGroup',
    property: 'RetentionInDays',
    isWeaker: isShorter(Number.POSITIVE_INFINITY),
    what: 'loses older log lines',
  },
  ...['GenerateSecretString', 'SecretString'].map((property) => ({
    type: 'AWS::SecretsManager::Secret',
    property,
    isWeaker: isChanged,
    what: 'gets a new value from CloudFormation, over the one that is stored',
  })),
];

/** Resources that stay, and would lose data or protect it less. */
export function weakerProtection(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return Object.entries(before.Resources).flatMap(([id, { Type, Properties: old }]) => {
    const now = after.Resources[id];
    if (now?.Type !== Type) return [];
    return rules
      .filter(({ type, property, isWeaker }) => type === Type && isWeaker(old?.[property], now.Properties?.[property]))
      .map(({ property, what }) => `${Type} ${id} ${what}: keep ${property} as the release has it.`);
  });
}
