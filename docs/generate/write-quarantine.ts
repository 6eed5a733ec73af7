import { quarantineReasons, quarantineRemedy } from '#shared/events/quarantine-remedies.ts';
import { generated } from './generated.ts';

const preface = `${generated}

# Reasons of a quarantine

*For operators.* An event in [quarantine](glossary.md#quarantine) is stored and has no effect. The page Quarantine of [the console](../how-to/console.md) and
\`npx --no -- drawbridge quarantine ls --env production\` show the same texts beside the events. [Replay](../how-to/replay.md) events once the cause is fixed.`;

/** `docs/reference/quarantine.md`. */
export function writeQuarantine(): string {
  const remedies = Map.groupBy(quarantineReasons, (reason) => {
    const { fix, commands } = quarantineRemedy(reason);
    return `${fix} ${commands.map((command) => `\`${command.replace(reason, 'REASON')}\``).join(' ')}`;
  });
  const sections = [...remedies].map(([remedy, reasons]) =>
    [...reasons.map((reason) => `- \`${reason}\`: ${quarantineRemedy(reason).means}`), '', `**Do**: ${remedy}`].join(
      '\n',
    ),
  );
  return `${[preface, ...sections].join('\n\n')}\n`;
}
