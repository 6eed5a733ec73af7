import type { PlantedBug } from './planted-bug.ts';

/** A bug that the histories of the suite do not catch. */
export type RareBug = PlantedBug & {
  /** The test file that catches the bug instead, from the root of the repository. */
  readonly heldBy: string;
};

/**
 * Each bug has a comment with the reason, and names the test that catches it instead. `npm run simulate -- --bugs --rare`
 * searches for a history that catches it. `node tools/mutation/main.ts --planted` proves that the tests catch it.
 */
export const rareBugs: readonly RareBug[] = [
  {
    // A batch must hold nine events of one entity, and another batch must write the entity meanwhile. One seed in tens of
    // thousands has that.
    name: 'an event of a batch leaves the state before the state is written',
    file: 'shared/entities/plan-merge.ts',
    find: 'latest.filter((entry) => isStored.has(entry)).slice(0, excess)',
    replace: 'latest.slice(0, excess)',
    breaks: [2],
    heldBy: 'test/shared/entities/entity-store.test.ts',
  },
  {
    // An operator's run of a few seconds must stop its pass, and then a mark must come in a shard that it has passed. One seed
    // below 20,000 has that, which `regressions.ts` runs.
    name: 'a pass that continues ends at the last shard',
    file: 'functions/retry-undelivered/reconcile/reconcile-progress.ts',
    find: 'return following === end ?',
    replace: 'return following === 0 ?',
    breaks: [12],
    heldBy: 'test/functions/retry-undelivered/reconcile/reconcile-progress.test.ts',
  },
  {
    // An onboarding without a message is due when its first lease ends, and the waker sends it: the request is late, and
    // never lost. Not caught by the first 1,000 seeds.
    name: 'a request is answered before the queue has it',
    file: 'functions/onboarding/accept/accept-request.ts',
    find: 'await queue.send(writeOnboardingMessage(row.onboardingId));\n    return { outcome',
    replace: 'queue.send(writeOnboardingMessage(row.onboardingId)).catch(() => undefined);\n    return { outcome',
    breaks: [9],
    heldBy: 'test/functions/onboarding/accept/accept-request.test.ts',
  },
  {
    // The waker sends the onboarding a minute after the unclear response, by when most creates have taken effect. Not caught by the
    // first 2,000 seeds.
    name: 'a verification is created again without a search after an unclear response',
    file: 'functions/onboarding/state-machine/decisions.ts',
    find: "if (observation.of === 'SEARCH_CONTINUES') return note({ ...observation, type: 'SearchContinued' });\n    return observation.of === 'SEARCH_ENDED' && isSettled",
    replace:
      "if (observation.of === 'SEARCH_CONTINUES') return note({ ...observation, type: 'SearchContinued' });\n    return observation.of === 'SEARCH_ENDED'",
    breaks: [6, 9],
    heldBy: 'test/functions/onboarding/state-machine/decide.test.ts',
  },
  {
    // A mark of unknown outcome must take effect in the middle of a walk, and a record older than the mark must be listed
    // only then.
    name: 'a walk marks although a mark may have changed its pages',
    file: 'functions/retry-undelivered/drain/drain-progress.ts',
    find: 'mayMark: pending === undefined,',
    replace: 'mayMark: true,',
    breaks: [5],
    heldBy: 'test/functions/retry-undelivered/drain/drain-progress.test.ts',
  },
  {
    // Breaks no promise: such a walk must not mark (`mayMark`), so that it costs one more walk.
    name: 'a walk continues after a mark',
    file: 'functions/retry-undelivered/drain/drain-progress.ts',
    find: '{ walk: _, mark: done, ...progress }: DrainProgress',
    replace: '{ mark: done, ...progress }: DrainProgress',
    breaks: [5],
    heldBy: 'test/functions/retry-undelivered/drain/drain-progress.test.ts',
  },
  {
    // A history takes less than a day, and events are kept for 90 days.
    name: 'an event expires one second late',
    file: 'shared/events/event-store.ts',
    find: 'return row.expiresAt > nowInSeconds() ? row : undefined;',
    replace: 'return row.expiresAt >= nowInSeconds() ? row : undefined;',
    breaks: [2],
    heldBy: 'test/shared/events/event-store.test.ts',
  },
  {
    // No pause of the simulation is longer than 114 seconds, and no other run calls the platform before 120 seconds are over
    // (`isPaced`): the late call is the only one.
    name: 'a create that was saved long ago is sent',
    file: 'functions/onboarding/advance/make-call.ts',
    find: 'const deadline = longest - (intentOn === undefined ? 0 : time - Date.parse(intentOn));',
    replace: 'const deadline = longest + 0 * (time - Date.parse(intentOn ?? ""));',
    breaks: [6],
    heldBy: 'test/functions/onboarding/advance/make-call.test.ts',
  },
  {
    // A create of a verification must be late, and the onboarding canceled and requested again before the create takes
    // effect.
    name: 'a restarted onboarding does not wait for an earlier verification to settle',
    file: 'functions/onboarding/state-machine/evolve.ts',
    find: 'intentOn: state.mustSeek ? state.intentOn : undefined,',
    replace: 'intentOn: undefined,',
    breaks: [6, 9],
    heldBy: 'test/functions/onboarding/state-machine/evolve.test.ts',
  },
  {
    // A create of a verification must be late, and the onboarding canceled and requested again. Then the answer to another
    // call must come before the onboarding knows its person, and before the create takes effect.
    name: 'a response settles a verification that was requested before the onboarding restarted',
    file: 'functions/onboarding/state-machine/evolve.ts',
    find: "type === 'OutcomeUnknown' || mayBeUnderWay ? state",
    replace: "type === 'OutcomeUnknown' ? state",
    breaks: [6, 9],
    heldBy: 'test/functions/onboarding/state-machine/evolve.test.ts',
  },
  {
    // The events that follow name the person by externalId: `store` and the walk through the events erase them all the
    // same.
    name: 'an erasure does not check whether the platform can have the person',
    file: 'functions/onboarding/erase-person/erasure-refusal.ts',
    find: 'return mustSeek || (intentOn',
    replace: 'return false && (intentOn',
    breaks: [4, 8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
  {
    // The simulated platform gives a new token at each request. Its token service would need a setting for the same one.
    name: 'a refresh fails when the token service gives the same token',
    file: 'functions/token-refresher/refresh/refresh.ts',
    find: "if (isSame && !isProlonged && reason === 'HALF_SPENT' && isValid(old)) return 'the same';",
    replace: '',
    breaks: [7],
    heldBy: 'test/functions/token-refresher/refresh/refresh.test.ts',
  },
  {
    // SQS hands the other records out again, so that they only take longer. No promise is broken.
    name: 'a record whose calls hang makes the others of its batch fail',
    file: 'functions/webhook-ingest/store/store-batch.ts',
    find: 'void halfTime.then(calls.stopWaiting);',
    replace: '',
    breaks: [9],
    heldBy: 'test/functions/webhook-ingest/store/store-batch.test.ts',
  },
  {
    // The refresh comes one run of 5 minutes later than half the lifetime. A call fails only where the token service is
    // down for exactly the rest of the lifetime.
    name: 'a token is refreshed one run too late',
    file: 'functions/token-refresher/refresh/decide-refresh.ts',
    find: "return left - refreshInterval < lifetime / 2 ? 'HALF_SPENT' : undefined;",
    replace: "return left < lifetime / 2 ? 'HALF_SPENT' : undefined;",
    breaks: [7],
    heldBy: 'test/functions/token-refresher/refresh/decide-refresh.test.ts',
  },
  {
    // The platform must fail for hours, and in one way: with a 200 that is not the platform's, to a PUT of an
    // identification. One seed below 3,000 has that, which `regressions.ts` runs.
    name: 'a 200 response with malformed JSON counts as accepted',
    file: 'shared/platform/client/http-answer.ts',
    find: "if (parseBody(answer) === undefined && textOf(answer).trim() !== '')",
    replace: 'if (false)',
    breaks: [9],
    heldBy: 'test/shared/platform/resources/natural-persons.test.ts',
  },
  {
    // A delivery of a new type must be processed before the profile knows the type, an earlier message of the same event after it,
    // and another unknown status of the same time must be received in between.
    name: 'an event that leaves quarantine by a delivery forgets its earlier receipts',
    file: 'functions/webhook-ingest/store/store-record.ts',
    find: 'receivedOn, firstReceivedOn: first });',
    replace: 'receivedOn });',
    breaks: [4],
    heldBy: 'test/functions/webhook-ingest/store/store-record.test.ts',
  },
  {
    // A run must leave marks for the next one: there are more of them than a history has entities.
    name: 'a page of persons settles a report that may be newer than the page',
    file: 'functions/retry-undelivered/reconcile/detect-drift.ts',
    find: 'heardOn === undefined || readOn.getTime() - Date.parse(heardOn) <= limits.grace',
    replace: 'heardOn === undefined',
    breaks: [4],
    heldBy: 'test/functions/retry-undelivered/reconcile/reconcile.test.ts',
  },
  {
    // Costs time and breaks no promise: the records that wait time out, and come again in other batches.
    name: 'a record that failed holds up its batch',
    file: 'functions/webhook-ingest/store/store-batch.ts',
    find: 'calls.leave(member);',
    replace: '',
    breaks: [9],
    heldBy: 'test/functions/webhook-ingest/store/store-batch.test.ts',
  },
  {
    // Costs requests and breaks no promise: a record that comes later makes a call of its own.
    name: 'a shared call starts without the records that are on their way',
    file: 'functions/webhook-ingest/store/shared-calls.ts',
    find: 'Math.min(...members.map(({ reached }) => reached))',
    replace: 'Math.max(...members.map(({ reached }) => reached))',
    breaks: [9],
    heldBy: 'test/functions/webhook-ingest/store/shared-calls.test.ts',
  },
  {
    // The condition of each write refuses what was decided without the row, and the next attempt reads again. Only an erased person
    // can come back: the tombstone of that person must be unprocessed in four calls.
    name: 'an unprocessed key counts as absent',
    file: 'shared/aws/batch-get.ts',
    find: 'for (const name of left.keys()) unread.add(name);',
    replace: '',
    breaks: [8],
    heldBy: 'test/shared/aws/batch-get.test.ts',
  },
  {
    // As above, with one call.
    name: 'the keys that DynamoDB leaves unprocessed are not read again',
    file: 'shared/aws/batch-get.ts',
    find: 'return new Map(left.map((key) => [nameOf(key), key]));',
    replace: 'return new Map();',
    breaks: [8],
    heldBy: 'test/shared/aws/batch-get.test.ts',
  },
  {
    // A second delivery must be committed while the first one is applied, and one seed in about 3,000 has that.
    name: 'a known event is written as if it were new',
    file: 'shared/events/event-writes.ts',
    find: '[name, ifAbsent(name)]',
    replace: "[name, ':'.concat(name)]",
    breaks: [2, 3, 8],
    heldBy: 'test/shared/events/event-store.test.ts',
  },
  {
    // Two unknown statuses must come in one order and count in another: about one seed in 4,000.
    name: 'the last receipt of an unknown status counts as its first',
    file: 'shared/entities/merge/report-times.ts',
    find: 'other === undefined || compareTimes(one, other) <= 0 ? one : other',
    replace: 'other === undefined || compareTimes(one, other) >= 0 ? one : other',
    breaks: [4],
    heldBy: 'test/shared/entities/merge/entity-view.test.ts',
  },
  {
    // A verification that no onboarding knows, and a crash between the last of its events and its tombstone.
    name: 'an erasure does not keep what it has found of the person',
    file: 'functions/onboarding/erase-person/claim-onboarding.ts',
    find: 'erasingKeys: [...new Map([...erasingKeys, ...known.keys].map((key) => [entityName(key), key])).values()],',
    replace: '',
    breaks: [8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
  {
    // The simulated callers make no mistake of this kind: each id that they name is the person's.
    name: 'an erasure takes ids of others without a confirmation',
    file: 'functions/onboarding/erase-person/erase-person.ts',
    find: 'refusalOf(look.row, subject) ?? othersRefusal(look.others)',
    replace: 'refusalOf(look.row, subject)',
    breaks: [8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
  {
    // The simulated callers name the person by the externalId.
    name: 'an erasure takes the id of an onboarding in its path for an externalId',
    file: 'functions/onboarding/erase-person/erasure-request.ts',
    find: 'z.transform(onboardingIdIn)',
    replace: "z.transform((text) => onboardingIdIn(text.replace(':', '-')))",
    breaks: [8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
  {
    // The simulated platform has UUIDs, and sends no text that is cut off.
    name: 'an erasure does not look for words in the bodies that cannot be read',
    file: 'functions/onboarding/erase-person/erase-person.ts',
    find: 'const unread = await findUnread({ ids: keys.map(({ id }) => id), onboardingIds }, isWithin(deadlineMs));',
    replace: 'const unread: Awaited<ReturnType<FindUnread>> = [];',
    breaks: [8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
  {
    // No history upgrades a release.
    name: 'the index of persons is complete after a walk beside functions of an earlier release',
    file: 'shared/persons/fill-person-index.ts',
    find: 'isOver && Date.parse(walkBegunOn) - Date.parse(firstOn) >= formerReleaseMs',
    replace: 'isOver',
    breaks: [8],
    heldBy: 'test/shared/persons/fill-person-index.test.ts',
  },
  {
    // An erasure must look for events between two writes of store that follow each other, and store must be slow then.
    name: 'a row of the index is removed before its event is stored',
    file: 'shared/persons/erase-event.ts',
    find: 'if (row === undefined) return;',
    replace: 'if (row === undefined) return personIndex.remove(eventId, noNames, rows);',
    breaks: [8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
  {
    // Store must end in the midst of an erasure that began with a late event.
    name: 'the events that lead to a verification are erased before what names it',
    file: 'shared/persons/erase-person-events.ts',
    find: '(await eraseEvents(others)) && (await each(left, eraseEntity)) && (await eraseEvents(leading))',
    replace: '(await eraseEvents(leading)) && (await each(left, eraseEntity)) && (await eraseEvents(others))',
    breaks: [8],
    heldBy: 'test/functions/webhook-ingest/store/store-erased.test.ts',
  },
  {
    // The simulated persons have one onboarding each.
    name: 'an erasure sees one onboarding of a person',
    file: 'shared/onboarding/onboarding-finder.ts',
    find: 'found.push(...Items.flatMap((item) => item[onboardingKeys.partition]?.S ?? []));',
    replace: 'found.push(...Items.slice(0, 1).flatMap((item) => item[onboardingKeys.partition]?.S ?? []));',
    breaks: [8],
    heldBy: 'test/functions/onboarding/erase-person/erase-person.test.ts',
  },
];
