import { Argument, type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { settingsNameOf } from '#cli/deployment/deployment.ts';
import { partitions } from './deployment/policy.ts';
import { deploymentPolicies, deploymentPolicyNames } from './deployment-policies.ts';
import { policyOf, readPolicyPlace, roles } from './permissions.ts';

const argument = z.enum([...roles, ...deploymentPolicyNames]);
const deploymentPolicy = z.enum(deploymentPolicyNames);
const givenOptions = z.object({
  account: z.optional(z.string().regex(/^\d{12}$/)),
  partition: z.enum(partitions),
  env: z.string(),
});

/** Adds `policy`: prints an IAM policy for those who use the commands, and those for a deployment. */
export function addPolicyCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('policy')
    .description(
      'Prints an IAM policy: of a reader or an operator of a deployment, with its ARNs, or of a role that deploys. ' +
        'An operator needs the policy of a reader, too.',
    )
    .addArgument(new Argument('<name>', 'what the policy is for').choices(argument.options))
    .option('--account <id>', 'the account, for a policy of a deployment')
    .addOption(
      new Option('--partition <name>', 'the partition, for a policy of a deployment')
        .choices(partitions)
        .default('aws'),
    )
    .action(async (name: unknown) => {
      const { output, connect } = createContext(command, deps);
      const ofDeployment = deploymentPolicy.safeParse(name);
      const policy = ofDeployment.success
        ? deploymentPolicies[ofDeployment.data](scopeOf(command))
        : policyOf(z.enum(roles).parse(name), await readPolicyPlace(await connect()));
      output.answer(policy, () => JSON.stringify(policy, undefined, 2));
      if (name === 'operator') output.note('Attach the policy of a reader, too: drawbridge policy reader.');
    });
  documentCommand(command, {
    examples: [
      'drawbridge policy reader --env production',
      'drawbridge policy operator --env production',
      'drawbridge policy boundary --env production --account 111122223333',
    ],
    json: 'the policy. The human form is the same',
  });
}

/** @throws {CommandError} without an account */
function scopeOf(command: Command) {
  const { data } = givenOptions.safeParse(command.optsWithGlobals());
  if (data?.account === undefined)
    throw new CommandError(
      'A policy of a deployment needs the account: 12 digits.',
      'aws sts get-caller-identity --query Account --output text',
    );
  const { account, partition, env } = data;
  return { account, partition, environment: settingsNameOf(env) };
}
