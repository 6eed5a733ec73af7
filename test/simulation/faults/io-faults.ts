import { answerOf } from '#test/simulation/system/platform-answer.ts';
import type { Call, IoBehaviour } from './io-behaviour.ts';

/** A kind of fault that happens to single I/Os. */
export type IoFault = {
  /** The share of matching I/Os that have the fault. */
  readonly rate: number;
  readonly matches: (call: Call) => boolean;
  /** @param draw from 0 to 1 */
  readonly behaviour: (draw: () => number) => IoBehaviour;
};

const any = () => true;
const isAws = ({ service }: Call) => service !== 'platform' && service !== 'token-service';
const isPlatform = ({ service }: Call) => service === 'platform';
const isHttp = (call: Call) => !isAws(call);
const isOperation =
  (...operations: readonly string[]) =>
  ({ operation }: Call) =>
    operations.includes(operation);

const isMark = isOperation('POST /webhooks-undelivered/mark-delivered');
/** A read of one person or one verification. */
const isReadOfOne = ({ operation }: Call) => /^GET \/entities\/[^/?]+\/./.test(operation);

/** A create of a person, a verification, or an identification that the partner supplies. */
const isCreate = ({ operation }: Call) => operation.startsWith('POST /entities/');

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** Without 501: the platform will never support the operation, so an operator must act. */
const passing = [500, 502, 503, 504];

/** An error of the SDK with this name. */
const awsError = (name: string) => () => Object.assign(new Error(`${name} of the simulation`), { name });

/** In milliseconds. */
const second = 1_000;

/** In milliseconds: how long the SDK waits with all its attempts. Each SDK call returns or throws within this time. */
const sdkDeadline = 9 * second;

export const ioFaults = {
  'crash before an I/O': { rate: 0.01, matches: any, behaviour: () => ({ crash: 'before' }) },
  'crash after an I/O': { rate: 0.01, matches: any, behaviour: () => ({ crash: 'after' }) },
  'lost request': {
    rate: 0.02,
    matches: isAws,
    behaviour: (draw) => ({ times: 0, error: awsError('TimeoutError'), pause: draw() * sdkDeadline }),
  },
  'lost acknowledgement': {
    rate: 0.02,
    matches: isAws,
    behaviour: (draw) => ({ error: awsError('TimeoutError'), pause: draw() * sdkDeadline }),
  },
  'lost acknowledgement, retried': { rate: 0.02, matches: isAws, behaviour: () => ({ times: 2 }) },
  'late request': {
    rate: 0.01,
    matches: isAws,
    behaviour: (draw) => ({ late: draw() * 60 * second, error: awsError('TimeoutError') }),
  },
  throttling: { rate: 0.02, matches: isAws, behaviour: () => ({ times: 0, error: awsError('ThrottlingException') }) },
  'slow I/O': { rate: 0.03, matches: any, behaviour: (draw) => ({ delay: draw() * 20 * second }) },
  'SQS refuses a send': {
    rate: 0.1,
    matches: isOperation('SendMessage', 'SendMessageBatch'),
    behaviour: () => ({ times: 0, error: awsError('RequestThrottled') }),
  },
  'event rejected by the bus': {
    rate: 0.15,
    matches: isOperation('PutEvents'),
    behaviour: () => ({
      times: 0,
      answer: () => ({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] }),
    }),
  },
  'platform 429': {
    rate: 0.04,
    matches: isHttp,
    behaviour: (draw) => ({
      times: 0,
      answer: () => answerOf(429, {}, { 'retry-after': String(Math.floor(draw() * 9)) }),
    }),
  },
  'platform 5xx': {
    rate: 0.04,
    matches: isHttp,
    behaviour: (draw) => ({ times: 0, answer: () => answerOf(passing[Math.floor(draw() * 4)] ?? 500, {}) }),
  },
  'platform timeout': { rate: 0.02, matches: isHttp, behaviour: () => ({ isSilent: true, times: 0 }) },
  'platform response lost': { rate: 0.02, matches: isHttp, behaviour: () => ({ error: connectionReset }) },
  '500 after commit': { rate: 0.04, matches: isPlatform, behaviour: () => ({ answer: () => answerOf(500, {}) }) },
  'late platform request': {
    rate: 0.02,
    matches: isPlatform,
    behaviour: (draw) => ({ late: draw() * 300 * second, error: connectionReset }),
  },
  'response to a create lost': {
    rate: 0.4,
    matches: isCreate,
    behaviour: (draw) => (draw() < 0.5 ? { error: connectionReset } : { answer: () => answerOf(500, {}) }),
  },
  'late create': {
    rate: 0.4,
    matches: isCreate,
    behaviour: (draw) => ({ late: draw() * 90 * second, error: connectionReset }),
  },
  'late mark': {
    rate: 0.4,
    matches: isMark,
    behaviour: (draw) =>
      draw() < 0.5 ? { times: 0, error: connectionReset } : { late: draw() * 10 * second, error: connectionReset },
  },
  // Like a paused virtual machine. The pause can exceed the time that a create takes to settle.
  'process pause after a save': {
    rate: 0.2,
    matches: ({ caller, operation }) => caller === 'advance' && operation === 'PutItem',
    behaviour: (draw) => ({ pause: (1 + draw()) * 57 * second }),
  },
  'SQS refuses repairs': {
    rate: 0.4,
    matches: ({ caller, operation }) => ['reconcile', 'wake'].includes(caller) && operation === 'SendMessageBatch',
    behaviour: () => ({ times: 0, error: awsError('RequestThrottled') }),
  },
  'false 404': {
    rate: 0.1,
    matches: (call) => isMark(call) || isReadOfOne(call),
    behaviour: () => ({ times: 0, answer: () => answerOf(404, {}) }),
  },
  'rejected cursor': {
    rate: 0.1,
    matches: isOperation('GET /webhooks-undelivered?cursor'),
    behaviour: () => ({ times: 0, answer: () => answerOf(400, {}) }),
  },
  'rejected cursor of persons': {
    rate: 0.6,
    matches: isOperation('GET /entities/natural-persons?cursor'),
    behaviour: () => ({ times: 0, answer: () => answerOf(400, {}) }),
  },
  'false 404 to a read': {
    rate: 0.3,
    matches: ({ operation }) => /^GET \/entities\/[a-z-]+\/./.test(operation),
    behaviour: () => ({ times: 0, answer: () => answerOf(404, {}) }),
  },
} satisfies Record<string, IoFault>;
