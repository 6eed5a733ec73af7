import type { PlantedBug } from './planted-bug.ts';

const advance = 'functions/onboarding/advance/advance.ts';
const changeRow = 'functions/onboarding/state-machine/evolve.ts';
const eventSubject = 'shared/persons/event-subject.ts';

/** Bugs in the onboarding, the update and the erasure of persons. */
export const onboardingBugs: readonly PlantedBug[] = [
  {
    name: 'a create is sent before it is saved',
    file: advance,
    find: 'const started = await apply(row, action.firstInput);',
    replace: 'const started = { ...changeRow(row, action.firstInput, now().toISOString()), version: row.version };',
    breaks: [2, 6, 9],
  },
  {
    name: 'an onboarding is saved without a condition',
    file: 'shared/onboarding/onboarding-store.ts',
    find: "const asRead = '#version = :read';",
    replace: "const asRead = '#version = :read OR attribute_exists(#version)';",
    breaks: [2, 6, 8, 9],
  },
  {
    name: 'the outbox of an onboarding is cleared before it is published',
    file: advance,
    find: 'await publishAll(row.outbox);\n    const dueOn',
    replace: 'publishAll(row.outbox).catch(() => undefined);\n    const dueOn',
    breaks: [2],
  },
  {
    name: 'an onboarding is never due while a run is at work',
    file: 'functions/onboarding/state-machine/evolve.ts',
    find: 'dueOn: endOfRun(at), isPaced: undefined,',
    replace: 'dueOn: undefined, isPaced: undefined,',
    breaks: [9],
  },
  {
    name: 'a lease is not moved',
    file: 'functions/onboarding/wake/wake.ts',
    find: 'const dueOn = endOfLease(time);',
    replace: 'const { dueOn } = row.state;',
    breaks: [9],
  },
  {
    name: 'a step is retried without a back-off when the platform fails',
    file: 'functions/onboarding/state-machine/timing.ts',
    find: 'const pause = pauseMs(backOff, exponent)',
    replace: 'const pause = pauseMs(backOff, 0 * exponent)',
    breaks: [9],
  },
  {
    name: 'a function wakes itself through its own queue',
    file: 'functions/onboarding/advance/handler.ts',
    find: 'export function createHandler({',
    replace: `import { SendMessageCommand } from '@aws-sdk/client-sqs';
export function createHandler(deps) {
  const handler = createOnce(deps);
  return async (event, context) => {
    const answer = await handler(event, context);
    for (const { body: MessageBody } of event.Records)
      await deps.sqs.send(new SendMessageCommand({ QueueUrl: 'onboarding', MessageBody, DelaySeconds: 60 }));
    return answer;
  };
}
function createOnce({`,
    breaks: [9],
  },
  {
    name: 'an ended onboarding can be canceled',
    file: 'functions/onboarding/api/operate-onboarding.ts',
    find: "if (step === 'CANCELED') return 'done before';",
    replace: "if (step !== 'CANCELED') return { type: 'Canceled' };",
    breaks: [6, 9],
  },
  {
    name: 'an ended onboarding keeps its personal data',
    file: changeRow,
    find: 'const isOpen = !stepRow(state.step).final;',
    replace: 'const isOpen = true;',
    breaks: [8],
  },
  {
    name: 'the event about a video call contains the URL of the call',
    file: changeRow,
    find: '...(reasons.length > 0 && { reasons: [...reasons] }),',
    replace: '...(reasons.length > 0 && { reasons: [...reasons] }), identificationUrl: state.identificationUrl,',
    breaks: [8],
  },
  {
    name: 'an event is not in the index of persons',
    file: 'shared/persons/person-index.ts',
    find: 'await personIndex.add({ eventId, eventType, ...statedPerson }, names);',
    replace: '',
    breaks: [8],
  },
  {
    name: 'the body of a late event about an erased person is kept',
    file: 'functions/webhook-ingest/store/apply-event.ts',
    find: "if (effect === 'erased') return eraseEvent(eventId, indexedIds);",
    replace: "if (effect === 'erased') return undefined;",
    breaks: [3, 4, 8],
  },
  {
    name: 'an order with the externalId of an erased person is erased',
    file: eventSubject,
    find: "=== 'kept') return business;\n  const place =",
    replace:
      "=== 'kept') return { of: 'whom it names', externalIds: externalIdsOfPersons(readJsonText(body).value, { wrappers: [] }) };\n  const place =",
    breaks: [8],
  },
  {
    // The walk of the erasure and later reports both use this subject, so a bug in only one of them would stay hidden.
    name: 'a verification without a known person survives the erasure of the person',
    file: eventSubject,
    find: "return { of: 'identification-verification', id: found?.id, naturalPersonId };",
    replace: "return { of: 'whom it names', externalIds: [] };",
    breaks: [4, 8, 9, 12],
  },
];
