import * as z from 'zod';

/** The account that an environment is deployed to. A number would lose zeros at its begin. */
export const account = z.string().regex(/^\d{12}$/, 'must be the 12 digits of an AWS account, as a text');

/** The region that an environment is deployed to. */
export const region = z
  .string()
  .regex(/^[a-z]{2}(?:-[a-z]{2,15}){1,3}-\d{1,2}$/, 'must be the name of a region, such as eu-central-1');

const token = /[#$]\{Token\[/;

/** A name of what is deployed, or a token of the CDK, of which only CloudFormation knows the value. */
function deployedName(pattern: RegExp, message: string) {
  const isName = (text: string) => token.test(text) || pattern.test(text);
  return z.string().refine(isName, message).meta({ pattern: pattern.source });
}

/** Where the resource of an ARN is. Undefined of a token of the CDK, of which only CloudFormation knows the value. */
export function placeOf(arn: string): { readonly account: string; readonly region: string } | undefined {
  if (token.test(arn)) return undefined;
  const [, , , region = '', account = ''] = arn.split(':');
  return { account, region };
}

/** The ARN of a certificate of ACM. API Gateway takes one of its own region. */
const certificateArn = deployedName(
  /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
  'must be the ARN of a certificate of ACM',
);

/** Asks the platform for a certificate of its own. */
const mutualTls = z.strictObject({
  truststore: z
    .string()
    .regex(/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/[A-Za-z0-9/._-]+$/, 'must be like s3://bucket/truststore.pem')
    .describe('The S3 URI of the certificates (PEM) that the platform is trusted by. In the region of the stacks.'),
  truststoreVersion: z
    .optional(z.string().regex(/^[A-Za-z0-9._-]{1,1024}$/, 'must be the id of a version of the object'))
    .describe('The version of the object. Change it to have API Gateway read a changed truststore.'),
  ownershipCertificateArn: z
    .optional(certificateArn)
    .describe(
      'A public certificate of ACM for the same domain. API Gateway requires it if `certificateArn` is imported or of a private CA.',
    ),
});

/** A domain of the partner for the webhook route. */
export const webhookDomain = z.strictObject({
  name: z
    .string()
    .max(253)
    .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain name in lower case')
    .describe('The domain name. Create its DNS record after the first deployment.'),
  certificateArn: certificateArn.describe('Its certificate in ACM, in the region of the stacks.'),
  mutualTls: z
    .optional(mutualTls)
    .describe('Refuses callers without a client certificate. Set it only if the platform presents one.'),
});

/** Where functions run that call the platform. Lambda takes the VPC from the subnets. */
export const network = z.strictObject({
  subnetIds: z
    .array(deployedName(/^subnet-[0-9a-f]{8,17}$/, 'must be the id of a subnet'))
    .min(1)
    .max(16)
    .describe('Private subnets with a route to a NAT gateway, in two availability zones or more.'),
  securityGroupIds: z
    .array(deployedName(/^sg-[0-9a-f]{8,17}$/, 'must be the id of a security group'))
    .min(1)
    .max(5)
    .describe('Security groups that allow outgoing HTTPS (port 443).'),
  allFunctions: z
    .boolean()
    .default(false)
    .describe(
      'Whether the other functions are in the subnets too, for a rule that demands a VPC for each function. A fault of the network then delays deliveries.',
    ),
});

export type Network = z.infer<typeof network>;

/** A vault that the partner has, in another region or account. */
const vaultCopy = z.strictObject({
  vaultArn: deployedName(
    /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[A-Za-z0-9_-]{2,50}$/,
    'must be the ARN of a vault of AWS Backup',
  ).describe('A vault that exists, with a key of its own.'),
  retentionDays: z
    .int()
    .min(1)
    .max(3_653)
    .describe('How long the copy is kept. An erased person stays in the copies for so long.'),
});

/** Backups of the tables by AWS Backup. */
const singleBackup = z.strictObject({
  retentionDays: z
    .int()
    .min(1)
    .max(3_653)
    .describe('How long a backup is kept. An erased person stays in the backups for so long.'),
  hour: z.int().min(0).max(23).default(3).describe('The hour (UTC) at which the daily backups begin.'),
  lock: z
    .enum(['governance', 'compliance'])
    .default('governance')
    .describe(
      'Whether an administrator can end the lock of the vault. Both locks keep each backup for `retentionDays`, and no backup longer. `compliance` is permanent 14 days after the deployment: neither you nor AWS can change `retentionDays` then, or delete a backup before.',
    ),
  isLockPermanent: z
    .boolean()
    .default(false)
    .describe('Confirms that `lock` is `compliance`, which needs `true` here. No command can undo that lock.'),
  copies: z
    .optional(z.array(vaultCopy).min(1).max(5))
    .describe('Vaults in other regions or accounts, to which each backup is copied.'),
  restoreTests: z
    .optional(z.enum(['weekly', 'monthly']))
    .describe(
      'How often AWS Backup restores the latest backup of each table, and deletes the restored table within hours. AWS bills each restored GB.',
    ),
  vaultName: z
    .optional(z.string().regex(/^[A-Za-z0-9_-]{2,50}$/, 'must be 2 to 50 letters, digits, hyphens and underscores'))
    .describe(
      'The name of the vault, if not `drawbridge-<environment>`. A vault outlives its stack: choose another name where one is left.',
    ),
});

export const backup = singleBackup.refine(({ lock, isLockPermanent }) => (lock === 'compliance') === isLockPermanent, {
  path: ['isLockPermanent'],
  message: 'must be true where lock is "compliance", and false otherwise: no command can undo that lock',
});

export type Backup = z.infer<typeof backup>;

/** Where the secrets are replicated to. */
const secretReplica = z
  .strictObject({
    region: region.describe('Another region than that of the stacks.'),
    keyArn: deployedName(
      /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(?:mrk-[0-9a-f]{32}|[0-9a-f-]{36})$/,
      'must be the ARN of a KMS key',
    ).describe('A KMS key of yours in that region, with the tag `drawbridge:environment`.'),
  })
  .refine(({ region: ofReplica, keyArn }) => (placeOf(keyArn)?.region ?? ofReplica) === ofReplica, {
    path: ['keyArn'],
    message: 'must be the ARN of a key in the region of the replica',
  });

export const secretReplicas = z
  .array(secretReplica)
  .min(1)
  .max(5)
  .refine((replicas) => new Set(replicas.map((replica) => replica.region)).size === replicas.length, {
    message: 'must name each region once',
  });

/** A managed policy of the account. */
export const permissionsBoundary = deployedName(
  /^(?:arn:aws[a-z-]*:iam::\d{12}:policy\/(?:[!-~]{1,510}\/)?)?[A-Za-z0-9+=,.@_-]{1,128}$/,
  'must be the name or the ARN of a managed policy',
);
