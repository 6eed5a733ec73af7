/** Whether this is `npm run verify`, which runs at full size what `npm test` runs in small form. */
export const isFullSize = process.env['FULL_SIZE'] === 'yes';

/** A size of a test: small in `npm test`, full in `npm run verify`. */
export function size(small: number, full: number): number {
  return isFullSize ? full : small;
}

/** Every `step`th of the cases in `npm test`, all of them in `npm run verify`. */
export function everyNth<Case>(step: number, cases: readonly Case[]): readonly Case[] {
  return isFullSize ? cases : cases.filter((_, index) => index % step === 0);
}
