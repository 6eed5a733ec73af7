import { isVerificationWord, toVerificationWord } from '#cli/doctor/platform/evaluate-answers.ts';
import { codeNames, errorNames } from '#shared/entities/reason-codes.ts';
import { isKnownStatus } from '#shared/entities/statuses/entity-rules.ts';
import { isObject, own } from '#shared/parse-json.ts';
import { toWord } from '#shared/platform/fields/received.ts';
import { type EntityFields, type EntityKind, placeOf } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { Operation } from './recording.ts';

/**
 * Which places of a body hold a word that a recording keeps. A place counts by its whole path: `status` of a person is one, and
 * `maritalStatus` or the `code` of a country is none.
 */
export type KeptWords = {
  /** The word that a value is; absent if values are not kept. */
  readonly wordOf?: (value: unknown) => unknown;
  readonly of: (name: string) => KeptWords;
};

/** No word here or further in. */
export const nothing: KeptWords = { of: () => nothing };

const code: KeptWords = { wordOf: (value) => value, of: () => nothing };

/** The body of an error, and the reason in a webhook. */
export const wordsOfErrors: KeptWords = {
  of: (name) => {
    if (codeNames.includes(name)) return code;
    return errorNames.includes(name) || name === 'validationError' ? wordsOfErrors : nothing;
  },
};

type Profile = Pick<PlatformProfile, 'places' | 'statuses' | 'verificationWords' | 'eventTypes'>;

/** The words in the answers to an operation that succeeded, or in the members of a list. */
export function wordsOfAnswers(operation: Operation, profile: Profile): KeptWords {
  const eventType = (value: unknown) => keptEventType(value, profile);
  const webhook = inPage({ of: (name) => (name === 'eventType' ? { wordOf: eventType, of: () => nothing } : nothing) });
  const resource = (kind: EntityKind, type: string): KeptWords => {
    const place = placeOf(type, profile.places);
    const status = typeof place === 'string' ? ['status'] : place.status;
    return inPage({ of: (name) => (status.includes(name) ? statusOf(kind, profile) : nothing) });
  };
  switch (operation) {
    case 'Get Token':
      return nothing;
    case 'Get natural persons':
    case 'Get natural person':
      return resource('natural-person', 'NATURAL_PERSON_NOTIFICATION');
    case 'Get Identification Verifications':
    case 'Get Identification Verification':
      return resource('identification-verification', 'IDENTIFICATION_VERIFICATION_NOTIFICATION');
    case 'List webhooks':
    case 'Get webhook':
      return webhook;
    case 'List missing webhooks':
      // A member may be only the event type.
      return { ...webhook, wordOf: (value) => (typeof value === 'string' ? value : undefined) };
    case 'List undelivered webhooks':
      return inPage({ of: (name) => (name === 'webhook' ? webhook : nothing) });
  }
}

/** The words in the body of a webhook. */
export function wordsOfWebhook(type: string, profile: Profile): KeptWords {
  const place = placeOf(type, profile.places);
  return typeof place === 'string' ? ofOther : ofEntity(place, profile);
}

/** Of an event type that speaks of no entity. */
const ofOther: KeptWords = {
  of: (name) => {
    if (name === 'status') return { wordOf: (value) => keptWord(value, () => false), of: () => nothing };
    if (name === 'notificationType') return code;
    return name === 'validationError' ? wordsOfErrors : nothing;
  },
};

function ofEntity(place: EntityFields, profile: Profile): KeptWords {
  const here: KeptWords = {
    of: (name) => {
      if (place.status.includes(name)) return statusOf(place.kind, profile);
      if (place.wrappers.includes(name)) return here;
      if (name === 'notificationType') return code;
      if (place.codes.includes(name)) return { ...wordsOfErrors, wordOf: (value) => value };
      if (!place.reason.includes(name)) return nothing;
      return codeNames.includes(name) ? code : wordsOfErrors;
    },
  };
  return here;
}

function statusOf(kind: EntityKind, profile: Profile): KeptWords {
  const isVerification = kind === 'identification-verification';
  const isKnown = (word: string) =>
    isKnownStatus(kind, profile, word) || (isVerification && isVerificationWord(word, profile.verificationWords));
  return {
    wordOf: (value) => {
      const status = keptWord(value, isKnown);
      return isVerification ? toVerificationWord(status) : status;
    },
    of: () => nothing,
  };
}

/** The event type that a value is. */
export function keptEventType(value: unknown, { eventTypes }: Pick<PlatformProfile, 'eventTypes'>): unknown {
  return keptWord(value, (word) => eventTypes.includes(word));
}

/** Where an object names a word that is not known. `name`, `label` and others may be texts about a person. */
const namesOfUnknownWords = ['code', 'value', 'status'];

/** The word that a value is, as Drawbridge reads it. A word that is not known is kept from fewer places. */
function keptWord(value: unknown, isKnown: (word: string) => boolean): unknown {
  const word = toWord(value, isKnown);
  if (!isObject(value) || (typeof word === 'string' && isKnown(word))) return word;
  const named = namesOfUnknownWords.filter((name) => Object.hasOwn(value, name));
  return toWord(Object.fromEntries(named.map((name) => [name, own(value, name)])), isKnown);
}

/** The same in a bare list, and in `data` of a page. */
function inPage(words: KeptWords): KeptWords {
  return { ...words, of: (name) => (name === 'data' ? words : words.of(name)) };
}
