import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { createHandler } from '#functions/onboarding/wake/handler.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { now as start } from '#test/shared/events/stored-events.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { createSqs } from '#test/simulation/aws/sqs.ts';
import { simulatedQueues, simulatedTables } from '#test/simulation/declared.ts';

/** The handler as its entry builds it, over services in memory. */
export function createWakeWorld({ standIns = 0 } = {}) {
  let time = start.getTime();
  let ids = 0;
  const commands: Command[] = [];
  let fails: (command: Command) => boolean = () => false;
  const tables = createDynamoDb(simulatedTables);
  const sqs = createSqs(simulatedQueues, {
    now: () => time,
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    choose: () => 0,
  });
  const clientOf = <Client>({ perform }: { readonly perform: (command: Command) => object }) =>
    ({
      send: async (command: Command) => {
        commands.push(command);
        if (fails(command)) throw new Error('AWS does not answer.');
        return perform(command);
      },
    }) as unknown as Client;
  const dynamodb = clientOf<Pick<DynamoDBClient, 'send'>>(tables);
  const now = () => new Date(time);
  const lines: string[] = [];
  const handler = createHandler({
    dynamodb,
    sqs: clientOf<Pick<SQSClient, 'send'>>(sqs),
    environment: {
      ENVIRONMENT: 'trial',
      ONBOARDINGS_TABLE: 'onboardings',
      EVENTS_TABLE: 'events',
      ONBOARDING_QUEUE_URL: 'onboarding',
      STAND_INS: standIns,
    },
    now,
    write: (line) => void lines.push(line),
  });
  return {
    dynamodb,
    /** All that was asked of AWS. */
    commands,
    store: createOnboardingStore({ dynamodb, tableName: 'onboardings', now }),
    table: tables.table('onboardings'),
    run: (event: object = {}) => handler(event, lambdaContext(60_000)),
    lines: () => lines.join(''),
    now,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    failWhen: (when: typeof fails) => {
      fails = when;
    },
    messages: () =>
      sqs
        .queue('onboarding')
        .all()
        .map(({ body }) => readOnboardingMessage(body)),
  };
}
