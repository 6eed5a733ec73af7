import type { PlantedBug } from './planted-bug.ts';

/** What survived at first: each takes a fault, or something to say at the right moment, that histories did not have. */
export const survivorBugs: readonly PlantedBug[] = [
  {
    name: 'a rotation accepts the new secret alone',
    file: 'functions/webhook-ingest/register/rotate-secret.ts',
    find: '{ current: deps.newSecret(), previous: stored.current }',
    replace: '{ current: deps.newSecret() }',
    breaks: [1],
  },
  {
    name: 'the previous secret is retired at the next look',
    file: 'functions/webhook-ingest/register/decide-rotation.ts',
    find: "return hasPassed(registeredOn, rules.overlap) ? 'retire' : 'wait';",
    replace: "return 'retire';",
    breaks: [1],
  },
  {
    name: 'a message that was not done in time is deleted',
    file: 'shared/lambda/handler.ts',
    find: "log.warn('message timed out', { messageId });",
    replace: 'return undefined;',
    breaks: [2, 3],
  },
  {
    name: 'a checkpoint is saved without its condition',
    file: 'shared/aws/checkpoint.ts',
    find: "'#version = :version',",
    replace: "'attribute_exists(#version) OR #version = :version',",
    breaks: [5, 10],
  },
  {
    name: 'a cursor that the platform does not take is tried for ever',
    file: 'functions/retry-undelivered/drain/drain.ts',
    find: 'if (isUnderWay) await journal.save(giveUpWalk(journal.progress));',
    replace: '',
    breaks: [9],
  },
  {
    name: 'a cursor that is repeated does not end the walk',
    file: 'functions/retry-undelivered/drain/drain-progress.ts',
    find: 'const trail = followTrail(walked.trail, walked.cursor, cursor);',
    replace: 'const trail = cursor === undefined ? undefined : walked.trail;',
    breaks: [9],
  },
  {
    name: 'a retired secret is accepted by whoever knew it',
    file: 'shared/secrets/webhook-secret.ts',
    find: 'const before = await accepted(maximumAge);',
    replace: 'const before = await accepted(Number.POSITIVE_INFINITY);',
    breaks: [8],
  },
  {
    name: 'of many messages one batch is sent',
    file: 'shared/aws/batch-queue.ts',
    find: 'Math.ceil(texts.length / batchSize)',
    replace: 'Math.min(texts.length, 1)',
    breaks: [5],
  },
];
