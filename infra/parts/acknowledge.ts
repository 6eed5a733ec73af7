import { CfnResource, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import * as z from 'zod';

/** The packs that have a rule of the same name. */
const packsWith = {
  CloudWatchAlarmAction: ['HIPAA.Security', 'NIST.800.53.R5'],
  DynamoDBInBackupPlan: ['HIPAA.Security', 'NIST.800.53.R5'],
  IAMNoInlinePolicy: ['HIPAA.Security', 'NIST.800.53.R5', 'PCI.DSS.321'],
  LambdaAsyncFailureDestination: ['Serverless'],
  LambdaConcurrency: ['HIPAA.Security', 'NIST.800.53.R5'],
  LambdaDLQ: ['Serverless', 'HIPAA.Security', 'NIST.800.53.R5'],
  LambdaInsideVPC: ['HIPAA.Security', 'NIST.800.53.R5', 'PCI.DSS.321'],
  LambdaTracing: ['Serverless'],
  SecretsManagerRotationEnabled: ['HIPAA.Security', 'NIST.800.53.R5'],
} as const;

/** The scanner checkov has these rules too. It reads its reasons in the template. */
const checkovRules: Partial<Record<keyof typeof packsWith, string>> = {
  LambdaConcurrency: 'CKV_AWS_115',
  LambdaDLQ: 'CKV_AWS_116',
  LambdaInsideVPC: 'CKV_AWS_117',
};

/** Accepts a finding that several packs have, for a construct and all below it. @param reason a sentence for the auditor */
export function acknowledge(construct: IConstruct, rule: keyof typeof packsWith, reason: string): void {
  for (const pack of packsWith[rule]) Validations.of(construct).acknowledge({ id: `${pack}-${rule}`, reason });
  const checkovRule = checkovRules[rule];
  if (checkovRule !== undefined) acknowledgeForCheckov(construct, checkovRule, reason);
}

const checkovReasons = z.object({ skip: z.array(z.object({ id: z.string(), comment: z.string() })) });

/** Accepts a finding of checkov in a construct with a resource of its own. @param reason a sentence for the auditor */
export function acknowledgeForCheckov(construct: IConstruct, id: string, reason: string): void {
  const resource = construct.node.defaultChild;
  if (!(resource instanceof CfnResource)) throw new Error(`${construct.node.path} has no resource of its own.`);
  const { data } = checkovReasons.safeParse(resource.getMetadata('checkov'));
  resource.addMetadata('checkov', { skip: [...(data?.skip ?? []), { id, comment: reason }] });
}

/** Accepts that the policy of a role is inline. */
export function acknowledgeInlinePolicy(role: IConstruct): void {
  const reason = 'The policy is of this one role, which may do exactly what it names: no other role could use it.';
  acknowledge(role, 'IAMNoInlinePolicy', reason);
}
