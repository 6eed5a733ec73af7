import type { OperatorAction } from '#shared/operator-actions.ts';

/** What a log line means, and what a reader does about it. A line that needs no action has no remedy. */
export type LogMeaning = {
  readonly meaning: string;
  readonly remedy?: string;
};

const retried = 'Nothing, unless it repeats.';
const alarm = (name: string) => `[${name}](../reference/alarms.md#${name.toLowerCase()})`;

/** The meaning of each log message. A test fails for a message without an entry, and for an entry without a message. */
export const logMeanings: Readonly<Record<string, LogMeaning>> = {
  'call failed: {call}': {
    meaning: 'The platform did not accept a call for an onboarding. `reason` is the input that follows.',
    remedy: 'Nothing at first: `advance` backs off and tries again, or the onboarding stops with a reason.',
  },
  'credentials missing': {
    meaning: 'The platform credentials were never stored. `error` names the secret. Nothing has failed.',
    remedy: 'Store the [credentials](../how-to/credentials.md).',
  },
  'drain ended: another run continues': { meaning: 'Two runs overlapped, and the other one saved its progress first.' },
  'drain paused at its time limit': { meaning: 'The run saved its progress. The next run continues from there.' },
  'drain restarted after a refused cursor': {
    meaning: 'The platform refused the cursor of a page, so the walk began again at the first page.',
    remedy: 'If it repeats, the walk never ends: ask the operator of the platform how long a cursor is valid.',
  },
  'drift found': {
    meaning: 'Reconciliation found entities that differ from the platform, and handed them to `store`.',
    remedy: `See the alarm ${alarm('DriftFound')}: webhooks were lost or are not registered.`,
  },
  'event contradicts a final status': {
    meaning: 'An event reports that an entity left a final status. The entity keeps both reports.',
    remedy: 'Follow the sentences in `remedies`.',
  },
  'event applied': {
    meaning:
      '`store` has finished: an event is stored, and its changes, if any, are on the bus. `deliveryId` is the `requestId` of its delivery in the access log. `outcome` is `stored`, `duplicate`, or `repeated` for a message that came twice.',
  },
  'event body read': {
    meaning:
      'A caller of the API, such as `drawbridge events show --reveal`, has read the body of an event, which holds personal data. CloudTrail says who used the access key in `accessKeyId`.',
  },
  'event quarantined': {
    meaning: 'An event is stored and cannot be applied. `reason` says why.',
    remedy: `See the alarm ${alarm('EventsQuarantined')}. [Replay](../how-to/replay.md) the events after the fix.`,
  },
  'events replayed': { meaning: 'A run of `replay` handed `size` events to `store` again.' },
  'invocation failed': {
    meaning: 'A scheduled or direct invocation failed. `error` says why.',
    remedy: 'Follow the alarm of the function. The next invocation repeats the work.',
  },
  'invocation rejected': {
    meaning: 'The payload of an invocation is invalid, and nothing was done.',
    remedy: 'Correct the payload by the message of the error, and invoke again.',
  },
  'list of persons read again after a refused cursor': {
    meaning: 'The platform refused the cursor of a page, so reconciliation reads the list from its first page.',
    remedy: retried,
  },
  'mark refused': {
    meaning: 'The platform refused to mark undelivered records. They stay listed, and their events are safe.',
    remedy: `See the alarm ${alarm('UndeliveredMarksRefused')}: check the path in \`path\` with the platform.`,
  },
  'message failed': {
    meaning:
      'A queue message failed, and SQS delivers it again. After the last receive of its queue it moves to the dead-letter queue.',
    remedy: 'Nothing, unless an alarm of the queue follows. `error` says what failed.',
  },
  'message timed out': {
    meaning: 'A queue message was not done before the time limit of the function, and SQS delivers it again.',
    remedy: retried,
  },
  'missing webhooks unknown': {
    meaning: 'The platform did not answer which event types have no webhook. `register` tries each event type.',
    remedy: retried,
  },
  'onboarding accepted': { meaning: 'A request is stored, and `advance` starts to work on the onboarding.' },
  'onboarding advanced': {
    meaning:
      'An onboarding received an input, `reason`, from a run or an operator. It is now at `step`, which can be the step of before.',
  },
  'onboarding not found': { meaning: 'A message names an onboarding that is erased or does not exist.' },
  'onboarding refused': {
    meaning: 'A request for an onboarding was refused, with the outcome `reason`.',
    remedy: 'The answer or the event `OnboardingRejected` tells the caller what to change.',
  },
  'onboarding not leased': {
    meaning: '`Wake` could not read or save an onboarding that is due. The others are not affected.',
    remedy: 'If the error repeats for the same onboarding, find out what wrote its row.',
  },
  'erasure unfinished': {
    meaning:
      'The erasure of the person of `onboardingId` has begun and not ended. `Wake` logs the ten that began first.',
  },
  'onboarding does not advance': {
    meaning:
      '`Wake` sends message number `receives` about `onboardingId`. No run came to its end for the messages before.',
    remedy: 'Read the errors of Advance about this onboarding.',
  },
  'onboarding request read': {
    meaning:
      'A caller of `GET /persons/{externalId}`, such as `drawbridge persons export`, has read what an onboarding still holds of its request, which is personal data.',
  },
  'onboardings woken': { meaning: '`Wake` sent `size` onboardings that are due to the queue.' },
  'onboarding woken': { meaning: 'An event is about an onboarding, and `advance` continues the onboarding.' },
  'index of persons not filled': {
    meaning:
      'A run of reconciliation could not continue to fill the index of persons, by which an erasure finds events.',
    remedy:
      'Nothing, unless it repeats. Until the index is filled, an erasure fills the index itself, and takes more calls.',
  },
  'onboarding events discarded': {
    meaning:
      'An erasure waited a day for `Advance` to publish the last events of an onboarding, and has erased the onboarding without them. `size` says how many.',
    remedy:
      'Tell your subscribers the end of this onboarding. Read the errors of Advance, and the alarms about the bus.',
  },
  'person erased': {
    meaning:
      'The last step of an erasure is done. The ids are all that the person had. `accessKeyId` is that of the last request.',
  },
  'person update refused': {
    meaning: 'The platform refused an update of a person. The caller got the reason.',
  },
  'platform read failed': {
    meaning: 'The platform did not answer what an onboarding needs to know. `advance` backs off and tries again.',
    remedy: retried,
  },
  'reconciliation finished': {
    meaning:
      'A reconciliation compared `size` entities, and reached the end of the lists of persons and of verifications.',
  },
  'request failed': {
    meaning: 'An HTTP request failed, and the answer was 503. `error` says why.',
    remedy: 'Follow the alarm of the function. The caller sends the request again.',
  },
  'run skipped before the first token': {
    meaning: '`drain`, `reconcile` or `register` had nothing to do: no platform token was stored yet.',
    remedy: 'Store the [credentials](../how-to/credentials.md).',
  },
  'token kept': {
    meaning:
      'A new token is due, and the token service gives the stored one again. `refresh` asks again each time that half of the rest of its life is over, when it has expired, and when a caller reports it.',
  },
  'token not replaced': {
    meaning:
      'The platform refused the stored token, or an operator forced a refresh, and the token service gives the same token again. `reason` is `REJECTED` or `FORCED`. If the token lives longer, `refresh` stores it.',
    remedy: `Nothing after a single refusal. If it repeats, see the alarm ${alarm('TokenRefreshesFailed')}.`,
  },
  'token refreshed': {
    meaning:
      'A new platform token is stored. `reason` says why it was due: `NO_TOKEN`, `HALF_SPENT`, `REJECTED` (by the platform) or `FORCED` (by an operator).',
  },
  'token refreshed by another run': {
    meaning: 'Two runs refreshed the token, and the other one stored its token first.',
  },
  'undelivered event handed over': { meaning: '`drain` stored an undelivered event, and `store` applies the event.' },
  'found undelivered webhooks of another system': {
    meaning: 'The undelivered list has `size` records of webhooks at `origin`. They are neither stored nor marked.',
    remedy: 'See [Share the platform with another system](../how-to/share-the-platform.md).',
  },
  'found undelivered webhooks without a time': {
    meaning:
      'The undelivered list has `size` records without a `createdOn` that can be read. They are stored. `Drain` marks none of them itself; a mark of a newer webhook may include them.',
    remedy: `See the alarm ${alarm('UndeliveredUntimed')}.`,
  },
  'found undelivered webhooks older than a mark': {
    meaning: 'Records appeared that are older than a record that was already marked.',
    remedy: `See the alarm ${alarm('UndeliveredLate')}.`,
  },
  'unknown status': {
    meaning:
      'An onboarding waits with a status of its person or verification (`kind`) that no setting explains. `drawbridge onboardings show` prints the status.',
    remedy: `See the alarm ${alarm('UnknownWords')}.`,
  },
  'webhook registration changed': { meaning: '`register` created, updated or removed the webhook of `eventType`.' },
  'webhook registration failed': {
    meaning: 'The platform refused the change of a webhook. `register` tries again in its next run.',
    remedy: `See the alarm ${alarm('RegistrationsFailed')}.`,
  },
  'webhook secret changed by another run': {
    meaning: 'Two runs of `register` rotated the secret, and the other one stored its step first.',
  },
  'webhook secret not read': {
    meaning:
      '`receive` could not read the header secret, and tries again after five seconds. It accepts the secrets that it read within the last hour, and answers everything else with 503.',
    remedy: 'See `error`: Secrets Manager fails, or the secret is not what the stacks create.',
  },
  'webhook secret rotation': {
    meaning: 'A step of the rotation of the header secret is stored: `reason` names the step.',
  },
  'webhook too large': {
    meaning: 'A delivery is larger than an SQS message, and the answer was 413. The platform keeps the delivery.',
    remedy: 'Nothing: `drain` stores it in pieces, in quarantine.',
  },
  'webhooks rejected': {
    meaning: '`count` requests to the webhooks URL were rejected since the last such line, for `reason`.',
    remedy: `See the alarms ${alarm('DeliveriesUnauthorized')} and ${alarm('DeliveriesOutOfRange')}.`,
  },
};

/** The lines that the command line and the console write before an action, of which each is recorded or not done. */
export const actionMeanings: Readonly<
  Record<
    Exclude<OperatorAction, 'event body read' | 'onboarding request read' | 'person erased'>,
    { readonly meaning: string; readonly fields: readonly string[] }
  >
> = {
  'bus replay requested': { meaning: '`bus replay`: past events are published again for `rules`.', fields: ['rules'] },
  'credentials change requested': { meaning: '`credentials set`: other platform credentials are stored.', fields: [] },
  'dead letters read': {
    meaning: '`dlq show --reveal`: `size` bodies of dead letters are shown.',
    fields: ['queue', 'messageIds', 'size'],
  },
  'drain requested': { meaning: '`drain`: the undelivered webhooks are fetched.', fields: [] },
  'erasure requested': {
    meaning: '`persons erase`: a person is erased. `person erased` follows once that is done.',
    fields: ['onboardingId', 'otherOnboardingIds', 'naturalPersonIds', 'identificationVerificationIds'],
  },
  'erasures repeated': {
    meaning: '`persons repeat-erasures`: `size` erasures are repeated after a restore.',
    fields: ['size'],
  },
  'export requested': {
    meaning: '`persons export`: all that is stored of a person is shown, or written to a file.',
    fields: ['onboardingId', 'otherOnboardingIds', 'naturalPersonIds', 'identificationVerificationIds'],
  },
  'onboarding cancel requested': { meaning: '`onboardings cancel`: an onboarding is ended.', fields: ['onboardingId'] },
  'onboarding retry requested': {
    meaning: '`onboardings retry`: an onboarding is continued.',
    fields: ['onboardingId'],
  },
  'onboarding start requested': {
    meaning: '`onboardings start`: an onboarding is requested.',
    fields: ['onboardingId'],
  },
  'person update requested': {
    meaning: '`persons update`: a person is updated on the platform.',
    fields: ['onboardingId'],
  },
  'purge requested': { meaning: '`dlq purge`: the messages of a queue are deleted.', fields: ['queue', 'size'] },
  'redrive requested': {
    meaning: '`dlq redrive`: the messages of a dead-letter queue move back.',
    fields: ['queue', 'size'],
  },
  'repair requested': { meaning: '`reconcile repair`: what differs from the platform is repaired.', fields: [] },
  'replay requested': {
    meaning: '`events replay` and `quarantine replay`: `size` events are handed to `Store` again.',
    fields: ['size', 'eventIds', 'reason', 'eventType'],
  },
  'secret rotation requested': {
    meaning: '`webhooks rotate` and `retire`: `reason` says which.',
    fields: ['reason', 'takeOver', 'remove'],
  },
  'token replacement requested': { meaning: '`token refresh --force`: the platform token is replaced.', fields: [] },
  'video call link read': {
    meaning: '`onboardings show --reveal`: the link of a video call is shown.',
    fields: ['onboardingId'],
  },
  'webhooks change requested': {
    meaning: '`webhooks apply`: webhooks are registered. `takeOver` and `remove` are the event types of these options.',
    fields: ['takeOver', 'remove'],
  },
};
