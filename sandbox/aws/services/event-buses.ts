import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { AwsServiceError, type Operations } from './aws-service.ts';

export type EventBuses = {
  readonly operations: Operations;
  /** The name of a bus, by its name or ARN. @throws {AwsServiceError} if there is none */
  readonly find: (nameOrArn: string) => string;
  /** The same, for what a stack declares. @throws {SandboxError} NOT_HOSTED if there is none */
  readonly declared: (nameOrArn: string, path: string) => string;
};

const listBuses = z.object({ NamePrefix: z.string().default('') });
const ofBus = z.object({ Name: z.string().default('default') });

/** The default bus, and those that the stacks declare. */
export function createEventBuses(eventBuses: Blueprint['eventBuses'], { region, account }: Place): EventBuses {
  const all = [
    { name: 'default', arn: `arn:aws:events:${region}:${account}:event-bus/default` },
    ...eventBuses.map(({ physicalName: name, arn }) => ({ name, arn })),
  ];
  const lookUp = (nameOrArn: string) => all.find(({ name, arn }) => nameOrArn === name || nameOrArn === arn);

  function known(nameOrArn: string) {
    const bus = lookUp(nameOrArn);
    if (bus !== undefined) return bus;
    throw new AwsServiceError('ResourceNotFoundException', `Event bus ${nameOrArn} does not exist.`);
  }

  const show = ({ name, arn }: (typeof all)[number]) => ({ Name: name, Arn: arn });
  return {
    operations: {
      ListEventBuses: (input) => {
        const { NamePrefix } = listBuses.parse(input);
        return { EventBuses: all.filter(({ name }) => name.startsWith(NamePrefix)).map(show) };
      },
      DescribeEventBus: (input) => show(known(ofBus.parse(input).Name)),
    },
    find: (nameOrArn) => known(nameOrArn).name,
    declared: (nameOrArn, path) => {
      const bus = lookUp(nameOrArn);
      if (bus !== undefined) return bus.name;
      throw new SandboxError('NOT_HOSTED', `The sandbox does not know the event bus ${nameOrArn} of ${path}.`);
    },
  };
}
