import { quarantineReasons, quarantineRemedy } from '#shared/events/quarantine-remedies.ts';
import { generated } from './generated.ts';
import { writeTable } from './write-table.ts';

const preface = `${generated}

# Reasons of a quarantine

*For operators.* An event in [quarantine](glossary.md#quarantine) is stored and has no effect. The page Quarantine of [the console](../how-to/console.md) and
\`npx --no -- drawbridge quarantine ls --env production\` show the same texts beside the events. [Replay](../how-to/replay.md) events once the cause is fixed.
`;

/** `docs/reference/quarantine.md`. */
export function writeQuarantine(): string {
  const rows = quarantineReasons.map((reason) => {
    const { means, fix, commands } = quarantineRemedy(reason);
    return [`\`${reason}\``, means, `${fix} ${commands.map((command) => `\`${command}\``).join(' ')}`];
  });
  return `${preface}\n${writeTable(['Reason', 'Means', 'Do'], rows)}\n`;
}
