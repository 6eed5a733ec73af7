import MarkdownIt from 'markdown-it';
import { DeploymentError } from './errors.ts';

/**
 * The commands of a section: its `sh` blocks up to the next heading of the same level or above.
 *
 * @throws {DeploymentError}
 */
export function commandsOf(page: string, heading: string): readonly string[] {
  const tokens = new MarkdownIt().parse(page, {});
  const start = tokens.findIndex(({ content }, index) => {
    return tokens[index - 1]?.type === 'heading_open' && content === heading;
  });
  if (start < 0) throw new DeploymentError(`The page has no section "${heading}".`);
  const level = tokens[start - 1]?.tag ?? '';
  const length = tokens.slice(start + 1).findIndex(({ type, tag }) => type === 'heading_open' && tag <= level);
  const section = tokens.slice(start, length < 0 ? undefined : start + 1 + length);
  const commands = section.filter(({ type, info }) => type === 'fence' && info === 'sh').map(({ content }) => content);
  if (commands.length === 0) throw new DeploymentError(`The section "${heading}" has no commands.`);
  return commands;
}
