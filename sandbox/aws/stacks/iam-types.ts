import * as z from 'zod';
import { notChecked } from './resource-types.ts';

const oneOrMore = z.union([z.string().transform((only) => [only]), z.array(z.string())]);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Condition: z.strictObject({ StringLike: z.strictObject({ 'kms:ViaService': oneOrMore }) }).optional(),
});

/** What a policy allows or denies. It has one condition at most: of others the laptop does not know what AWS would compare. */
export type Statement = z.infer<typeof statement>;

const policyDocument = z.strictObject({ Version: z.literal('2012-10-17'), Statement: z.array(statement) });

export const policyProperties = z.strictObject({
  PolicyName: notChecked,
  PolicyDocument: policyDocument,
  Roles: z.array(z.string()).default([]),
});

/** Policies of AWS that a role may have on the laptop: they allow nothing that the laptop checks. */
const harmlessPolicies = [
  'AWSLambdaBasicExecutionRole',
  'AWSLambdaVPCAccessExecutionRole',
  'AWSXRayDaemonWriteAccess',
  'AWSXrayWriteOnlyAccess',
];

const managedPolicy = z
  .string()
  .refine((arn) => harmlessPolicies.some((name) => arn.endsWith(`/${name}`)), 'what this policy allows is not known');

export const roleProperties = z.strictObject({
  ManagedPolicyArns: z.array(managedPolicy).default([]),
  Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocument })).default([]),
  AssumeRolePolicyDocument: notChecked,
  Description: notChecked,
  Path: notChecked,
  PermissionsBoundary: notChecked,
  RoleName: notChecked,
  Tags: notChecked,
});
