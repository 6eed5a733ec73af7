import type { PlantedBug } from './planted-bug.ts';

const takeIn = 'functions/retry-undelivered/take-in.ts';
const drain = 'functions/retry-undelivered/drain.ts';
const progress = 'functions/retry-undelivered/drain-progress.ts';

/** In what fetches undelivered webhooks. */
export const drainBugs: readonly PlantedBug[] = [
  {
    name: 'records are marked before they are committed',
    file: takeIn,
    find: 'const left = await sideBySide(intakes, commitsAtOnce,',
    replace: 'const left = intakes.map(({ intake }) => intake); void sideBySide(intakes, commitsAtOnce,',
    breaks: [2, 5],
  },
  {
    name: 'a commit that failed is passed over',
    file: 'shared/side-by-side.ts',
    find: 'if (failures.length > 0) throw failures[0];',
    replace: '',
    breaks: [3, 5, 10],
  },
  {
    name: 'what was not handed over is marked',
    file: takeIn,
    find: 'await queue.sendAll(',
    replace: 'await Promise.allSettled([1]); void queue.sendAll(',
    breaks: [3, 5],
  },
  {
    name: 'a batch that SQS took in part counts as taken',
    file: 'shared/batch-queue.ts',
    find: 'left = left.filter((_, index) => !taken.has(String(index)));',
    replace: 'left = taken.size > 0 ? [] : left;',
    breaks: [3, 5],
  },
  {
    name: 'the list is taken to end with its first page',
    file: drain,
    find: 'if (upcoming === undefined) return end(journal, progress);',
    replace: 'return end(journal, progress);',
    breaks: [5, 9],
  },
  {
    name: 'what is expected to be stored is not looked at',
    file: takeIn,
    find: 'const known = isExpected && (await readKnown(event.eventId, delivery));',
    replace: "const known = isExpected && { handedOver: ['#' + delivery.deliveryId] };",
    breaks: [5, 9],
  },
  {
    name: 'the drain forgets the mark that it was about to send',
    file: progress,
    find: 'mark: isMarkable ? { ...newestCommitted, covered, isOursAlone: true } : progress.mark,',
    replace: 'mark: progress.mark,',
    breaks: [9],
  },
  {
    name: 'a mark that was refused is sent again for ever',
    file: drain,
    find: 'if (!isRefusal(error)) throw error;',
    replace: 'throw error;',
    breaks: [9],
  },
  {
    name: 'what came just now is taken for settled',
    file: progress,
    find: 'now.getTime() - Date.parse(candidate.listedOn) >= settle;',
    replace: 'now.getTime() >= settle;',
    breaks: [5],
  },
  {
    name: 'all that is listed is marked',
    file: progress,
    find: 'const isCovered = isFree && horizon !== undefined && !isNewer(createdOn, horizon);',
    replace: "const isCovered = isFree && horizon !== '';",
    breaks: [5],
  },
  {
    name: 'nothing is ever a horizon',
    file: progress,
    find: 'horizon: isSettled ? candidate.createdOn : undefined,',
    replace: 'horizon: undefined,',
    breaks: [9],
  },
  {
    name: 'nothing is kept of a record that is malformed',
    file: 'functions/retry-undelivered/undelivered-record.ts',
    find: 'const count = Math.max(1, Math.ceil(bytes.length / pieceSize));',
    replace: 'const count = Math.floor(bytes.length / pieceSize);',
    breaks: [5],
  },
  {
    name: 'a record of another system is taken for ours',
    file: takeIn,
    find: 'const isForeign = webhook !== undefined && !(await recognizeOwn(webhook));',
    replace: 'const isForeign = webhook !== undefined && webhook.url === "";',
    breaks: [5],
  },
  {
    name: 'a record of another system does not bound the marks',
    file: progress,
    find: 'return isOlderThan(walked.bound, createdOn) ? lowerBound(bounded, createdOn) : bounded;',
    replace: 'return bounded;',
    breaks: [5],
  },
  {
    name: 'a mark stays as it is when an older record of another system is listed',
    file: progress,
    find: '...(isHeldUp(sofar?.createdOn) && { watermark: undefined, covered: 0 }),',
    replace: '',
    breaks: [5],
  },
  {
    name: 'a record is handed over each time that it is listed',
    file: takeIn,
    find: 'return isHandedOver ? undefined : { event, delivery };',
    replace: 'return { event, delivery };',
    breaks: [2, 9],
  },
  {
    name: 'a hand-over is noted before SQS confirms it',
    file: takeIn,
    find: 'await queue.sendAll([...deliveries.keys()].map(writeEventMessage));',
    replace:
      'await sideBySide([...deliveries], commitsAtOnce, note); await queue.sendAll([...deliveries.keys()].map(writeEventMessage));',
    breaks: [3, 5],
  },
  {
    name: 'a message that SQS refuses three times is dropped',
    file: 'shared/batch-queue.ts',
    find: "if (tries === mostTries) throw new QueueError('SQS did not take every message of a batch: send them again.');",
    replace: 'if (tries === mostTries) return;',
    breaks: [3, 5, 10],
  },
  {
    name: 'a 5xx to a mark counts as a refusal',
    file: drain,
    find: 'return error instanceof PlatformHttpError && refusals.has(error.status);',
    replace: 'return error instanceof PlatformHttpError && (refusals.has(error.status) || error.status >= 500);',
    breaks: [5],
  },
  {
    name: 'of records with the same createdOn the last one is marked alone',
    file: progress,
    find: 'return isAnother ? { ...sofar, ids: [...sofar.ids, id] } : sofar;',
    replace: 'return isAnother ? { ...sofar, ids: [id] } : sofar;',
    breaks: [9],
  },
];
