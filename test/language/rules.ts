/** A rule of the language: what it finds in a text, and what to write instead. */
export type Rule = {
  readonly find: RegExp;
  readonly instead: string;
};

/** Words and phrases that readers who are no native speakers stumble over, each with what to write instead. */
const phrases: Readonly<Record<string, string>> = {
  'mend(?:s|ed|ing)?': 'fix',
  'befall(?:s|en|ing)?|befell': 'happen to, match',
  'deeds?': 'action',
  'fates?': 'outcome, persona',
  lest: 'so that … not',
  'want of': 'lack of, without',
  'be it': 'either … or',
  'of no account': 'irrelevant',
  'by hand': 'manually',
  somebody: 'the person, the operator: name who',
  'whoever|whomever': 'the caller, the reader: name who',
  nobody: 'no one, no caller: name who',
  news: 'report, event',
  told: 'reported, sent',
  heard: 'received, reported',
  'com(?:es?|ing) to light': 'is found',
  'stand(?:s|ing)? still': 'stops, makes no progress',
  'knock(?:s|ed|ing)?': 'calls, asks',
  'slip of the pen': 'typo',
  'for good': 'permanently',
  'side by side': 'concurrently',
  'put(?:s|ting)? right': 'fix',
  anew: 'again',
  'at once': 'concurrently, immediately',
  'whatever|whichever': 'any, every, regardless of',
  wherever: 'everywhere, in each place',
  'in vain': 'without a result',
  'long since': 'already',
  'it is said': 'name who says it',
  'goes on|go on|went on|going on': 'continues',
  'but for|save for': 'except',
  'tak(?:es?|en|ing) in|took in': 'accept, receive, store',
  'looks? at|looked at|looking at': 'read, check, observe',
  'as well be': 'could also be',
};

/** Texts that the repository does not have. */
const absentTexts: Readonly<Record<string, string>> = {
  'issues? \\d+': 'what the reader needs to know: the issue is not in the repository',
  '\\(facts|facts[,:]': 'a link to docs/platform.md',
  'design:': 'a title that says what is tested',
};

const rulesFrom = (table: Readonly<Record<string, string>>): readonly Rule[] =>
  Object.entries(table).map(([find, instead]) => ({
    find: new RegExp(`(?<![\\w-])(?:${find})(?![\\w-])`, 'i'),
    instead,
  }));

/** Every rule for a sentence of prose. */
export const rules: readonly Rule[] = [
  ...rulesFrom(phrases),
  ...Object.entries(absentTexts).map(([find, instead]) => ({ find: new RegExp(find, 'i'), instead })),
];
