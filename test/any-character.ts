import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any character of Unicode, as a unit of `fc.string`. fast-check's own, `binary`, takes a second to list them all. */
export const anyCharacter = fc
  .nat(0x10ffff - surrogates.count)
  .map((place) => String.fromCodePoint(place < surrogates.first ? place : place + surrogates.count));
