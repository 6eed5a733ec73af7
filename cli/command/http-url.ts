import { InvalidArgumentError } from 'commander';
import * as z from 'zod';

/** Parses an option that is a URL. @param example of a URL that the option takes @throws {InvalidArgumentError} */
export function httpUrl(example: string): (text: string) => string {
  return (text) => {
    if (!z.url({ protocol: /^https?$/ }).safeParse(text).success)
      throw new InvalidArgumentError(`The value must be a URL such as ${example}.`);
    return text;
  };
}
