import { join } from 'node:path';
import * as z from 'zod';
import { permissionsBoundary } from '#cli/policy/deployment/permissions-boundary.ts';
import { arnsOf } from '#cli/policy/deployment/policy.ts';
import { adaptAssembly } from '#tools/deploy/assembly/adapt-assembly.ts';
import { adaptFor } from '#tools/deploy/assembly/adaptations.ts';
import { idsOfType, type Template } from '#tools/deploy/assembly/template.ts';
import { assembliesOf, type DeployRun, readResources, readStatus, stacksOf } from '#tools/deploy/deploy-run.ts';
import { asDeployer, scopeOf } from '#tools/deploy/deployer.ts';
import { DeploymentError, ProcessFailedError } from '#tools/deploy/errors.ts';
import { runPage } from '#tools/deploy/run-page.ts';

/** `cdk bootstrap` with the printed policies for CloudFormation, as docs/how-to/deploy.md says. */
export async function bootstrap(deployment: DeployRun): Promise<string> {
  const script = await runPage(deployment, 'docs/how-to/deploy.md', 'Deploy with few permissions');
  const scope = scopeOf(deployment);
  if (!deployment.target.isEmulator) return script;
  // The emulator names the action by the call, as in the policies of the roles (adaptations.ts).
  const boundary = JSON.stringify(permissionsBoundary(scope)).replace('"sqs:SendMessage"', '$&,"sqs:SendMessageBatch"');
  const version = ['--policy-document', boundary, '--set-as-default'];
  await deployment.aws.run('iam', 'create-policy-version', '--policy-arn', arnsOf(scope).boundary, ...version);
  return script;
}

const bounded = z.object({
  Role: z.object({ PermissionsBoundary: z.object({ PermissionsBoundaryArn: z.string() }) }),
});

/** `cdk deploy --all` by a user with the printed policy of the deployer. Then every role gets the boundary, which the emulator leaves out. */
export async function deploy(deployment: DeployRun): Promise<string> {
  const { cdk } = await asDeployer(deployment);
  await cdk.deploy(assembliesOf(deployment).adapted);
  const stacks = Object.values(stacksOf(deployment));
  const all = (await Promise.all(stacks.map((stack) => readResources(deployment, stack)))).flat();
  const failed = all.filter(({ ResourceStatus }) => !/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus));
  if (failed.length > 0)
    throw new DeploymentError(`Not deployed: ${failed.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')}.`);
  const { boundary } = arnsOf(scopeOf(deployment));
  const roles = all.filter(({ ResourceType }) => ResourceType === 'AWS::IAM::Role');
  for (const { PhysicalResourceId: role } of roles)
    if (deployment.target.isEmulator) {
      const named = ['--role-name', role, '--permissions-boundary', boundary];
      await deployment.aws.run('iam', 'put-role-permissions-boundary', ...named);
    } else {
      const { Role } = await deployment.aws.read(bounded, 'iam', 'get-role', '--role-name', role);
      if (Role.PermissionsBoundary.PermissionsBoundaryArn !== boundary)
        throw new DeploymentError(`The role ${role} lacks the boundary ${boundary}.`);
    }
  return `${stacks.length} stacks with ${all.length} resources, ${roles.length} roles with the boundary`;
}

/** The first deployment of the data stack fails at its last resource and is rolled back. */
export async function failFirstDeployment(deployment: DeployRun): Promise<string> {
  const { directory } = deployment;
  const { cdk } = await asDeployer(deployment);
  const { data } = stacksOf(deployment);
  const broken = join(directory, 'broken.out');
  adaptAssembly(assembliesOf(deployment).synthesized, broken, (given, stack) => {
    const adapted = adaptFor(deployment.target)(given);
    return stack === data ? { ...adapted, template: breakTemplate(adapted.template) } : adapted;
  });
  const failure = await cdk.deploy(broken).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof ProcessFailedError)) throw new DeploymentError('The deployment did not fail.');
  const status = await readStatus(deployment, data);
  if (status !== 'ROLLBACK_COMPLETE') throw new DeploymentError(`${data} is ${status}, not ROLLBACK_COMPLETE.`);
  return `${data} is ${status}`;
}

/** Runs the commands of docs/how-to/deploy.md, after which the next step deploys. */
export async function recover(deployment: DeployRun): Promise<string> {
  return runPage(deployment, 'docs/how-to/deploy.md', 'If the first deployment fails');
}

const busType = 'AWS::Events::EventBus';

/**
 * Adds a resource that cannot be created, once all others are: a second bus with the name of the first. A deployment of
 * the template ends as one does that AWS refuses at its last resource.
 *
 * @throws {DeploymentError} without a bus
 */
function breakTemplate(given: Template): Template {
  const [bus] = idsOfType(given, busType);
  const properties = bus === undefined ? undefined : given.Resources[bus]?.Properties;
  if (properties === undefined) throw new DeploymentError('The template has no bus.');
  const second = {
    Type: busType,
    Properties: { Name: properties['Name'] },
    DependsOn: Object.keys(given.Resources),
  };
  return { ...given, Resources: { ...given.Resources, SecondBus: second } };
}
