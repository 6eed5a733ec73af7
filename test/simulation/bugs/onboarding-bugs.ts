import type { PlantedBug } from './planted-bug.ts';

const advance = 'functions/onboarding/advance/advance.ts';
const decide = 'functions/onboarding/state-machine/decisions.ts';
const look = 'functions/onboarding/observe/observe.ts';
const waiting = 'functions/onboarding/state-machine/next-wake.ts';
const request = 'functions/onboarding/accept/accept-request.ts';
const erase = 'functions/onboarding/erase-person/erase-person.ts';
const store = 'shared/onboarding/onboarding-store.ts';

/** Bugs in the onboarding of persons. */
export const onboardingBugs: readonly PlantedBug[] = [
  {
    name: 'a create is sent before it is saved',
    file: advance,
    find: 'const intended = await note(row, command.intent);',
    replace: 'const intended = { ...changeRow(row, command.intent, now().toISOString()), version: row.version };',
    breaks: [2, 6, 9],
  },
  {
    name: 'an existing verification is not searched for',
    file: decide,
    find: "if (mode === 'video' && state.mustSeek) return note({ type: 'VerificationSought' });",
    replace: '',
    breaks: [6],
  },
  {
    name: 'any listed verification counts as the one of the person',
    file: look,
    find: 'one.naturalPersonId === naturalPersonId && !isFailure',
    replace: '!isFailure',
    breaks: [6, 9],
  },
  {
    name: 'a person is adopted without a comparison',
    file: decide,
    find: 'if (differing.length === 0) return note(',
    replace: 'return note(',
    breaks: [6, 9],
  },
  {
    name: 'an externalId that exists already fails the onboarding',
    file: 'functions/onboarding/advance/call-outcome.ts',
    find: "{ type: 'ConflictMet', conflict: conflictOf(error) }",
    replace: "{ type: 'CallRefused', reason: reasonOf(error) }",
    breaks: [6, 9],
  },
  {
    name: 'an onboarding is saved without a condition',
    file: store,
    find: "const asRead = '#version = :read';",
    replace: "const asRead = '#version = :read OR attribute_exists(#version)';",
    breaks: [2, 6, 8, 9],
  },
  {
    name: 'a refused save of an onboarding counts as done',
    file: advance,
    find: 'if (await store.save(row)) return;',
    replace: 'if ((await store.save(row)) || true) return;',
    breaks: [2, 6, 9],
  },
  {
    name: 'a request overwrites an existing onboarding',
    file: store,
    find: 'create: (row) => putIf(writeOnboarding(row, now()), absent,',
    replace:
      "create: (row) => putIf(writeOnboarding(row, now()), 'attribute_not_exists(#nothing) OR #expiresAt <= :now',",
    breaks: [2, 6, 8, 9],
  },
  {
    name: 'an onboarding is never due while a run is at work',
    file: 'functions/onboarding/state-machine/evolve.ts',
    find: 'dueOn: endOfRun(at), isPaced: undefined,',
    replace: 'dueOn: undefined, isPaced: undefined,',
    breaks: [9],
  },
  {
    name: 'steps have no deadline',
    file: decide,
    find: "return facts.time === 'late' ? giveUpWaiting(state, facts.observation) : command;",
    replace: 'return command;',
    breaks: [9],
  },
  {
    name: 'a requestor that is not ACTIVE stops the onboarding',
    file: 'functions/onboarding/advance/call-outcome.ts',
    find: "if (condition === 'VALIDATION_ERROR' && !requestorWasActive)",
    replace: "if (condition === 'VALIDATION_ERROR' && requestorWasActive)",
    breaks: [9],
  },
  {
    name: 'the same request after the end is accepted without an effect',
    file: request,
    find: "if (what === 'ACCEPTED') return stepRow(step)",
    replace: "if (what === 'ACCEPTED' || (differing.length === 0 && stepRow(step).final)) return stepRow(step)",
    breaks: [9],
  },
  {
    name: 'the event about a video call contains the URL of the call',
    file: 'functions/onboarding/state-machine/change-row.ts',
    find: '...(reasons.length > 0 && { reasons: [...reasons] }),',
    replace: '...(reasons.length > 0 && { reasons: [...reasons] }), identificationUrl: state.identificationUrl,',
    breaks: [8],
  },
  {
    name: 'an ended onboarding keeps its personal data',
    file: 'functions/onboarding/state-machine/change-row.ts',
    find: 'const isOpen = !stepRow(state.step).final;',
    replace: 'const isOpen = true;',
    breaks: [8],
  },
  {
    name: 'the log contains the name of the person',
    file: 'functions/onboarding/accept/accept-request.ts',
    find: "log.info('onboarding accepted', { onboardingId: row.onboardingId });",
    replace: "log.info('onboarding accepted', { onboardingId: row.data.person?.externalId ?? '' });",
    breaks: [8],
  },
  {
    name: 'the outbox of an onboarding is cleared before it is published',
    file: advance,
    find: 'await publishAll(row.outbox);\n    const dueOn',
    replace: 'publishAll(row.outbox).catch(() => undefined);\n    const dueOn',
    breaks: [2],
  },
  {
    name: 'an erasure removes the row of the onboarding',
    file: erase,
    find: 'const end = await claimOnboarding.end(id, { keys, onboardingIds });',
    replace: "const end = String('erased');",
    breaks: [6, 8],
  },
  {
    name: 'an erased entity comes back with a late event',
    file: 'shared/entities/entity-store.ts',
    find: 'if (isErased(row)) return forget(key, events);',
    replace: 'if (isErased(row)) return merge(key, undefined, events.map((event) => ({ event, earlier: undefined })));',
    breaks: [3, 4, 8, 9],
  },
  {
    name: 'the body of a late event about an erased person is kept',
    file: 'functions/webhook-ingest/store/apply-event.ts',
    find: "if (effect === 'erased') return eraseEvent(eventId, names);",
    replace: "if (effect === 'erased') return undefined;",
    breaks: [3, 4, 8],
  },
  {
    // The walk of the erasure and later reports both use this subject, so a bug in only one of them would stay hidden.
    name: 'a verification without a known person survives the erasure of the person',
    file: 'shared/events/subject/subject-of.ts',
    find: "return { of: 'identification-verification', id: found?.id, naturalPersonId };",
    replace: "return { of: 'whom it names', externalIds: [] };",
    breaks: [4, 8, 9, 12],
  },
  {
    name: 'an ended onboarding can be canceled',
    file: 'functions/onboarding/api/operate-onboarding.ts',
    find: "if (step === 'CANCELED') return 'done before';",
    replace: "if (step !== 'CANCELED') return { type: 'Canceled' };",
    breaks: [6, 9],
  },
  {
    name: 'a step is retried without a back-off when the platform fails',
    file: waiting,
    find: 'const pause = pauseMs(backOff, exponent)',
    replace: 'const pause = pauseMs(backOff, 0 * exponent)',
    breaks: [9],
  },
  {
    name: 'the back-off never exceeds the settle time of a create',
    file: waiting,
    find: 'const due = Math.max(isFailed ? observe : Math.min(observe, otherEnds(state, deps)), soon);',
    replace: 'const due = Math.max(Math.min(observe, time + deps.settings.settle.person * 1_000), soon);',
    breaks: [9],
  },
  {
    name: 'a create that the platform refuses as a duplicate is not followed by a search',
    file: look,
    find: "if (state.step === 'CREATING_PERSON' && isSearchFutile) return { of: 'NOTHING' };",
    replace: "if (isSearchFutile) return { of: 'NOTHING' };",
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
    name: 'a due onboarding is not written to the index',
    file: 'shared/onboarding/onboarding-row.ts',
    find: '...(dueOn !== undefined && {',
    replace: '...(dueOn === undefined && { [due.sort]: { S: "never" } }), ...(dueOn === "never" && {',
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
    name: 'the message of a lease is ignored while the onboarding is paced',
    file: 'functions/onboarding/advance/pacing.ts',
    find: 'if (lease !== undefined) return lease === state.dueOn;',
    replace: '',
    breaks: [9],
  },
];
