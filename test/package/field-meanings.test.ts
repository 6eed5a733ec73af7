import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { platformFields } from '#package/build/field-meanings.ts';
import { readFullTypes } from '#package/build/write-declarations.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { identificationFields } from '#shared/platform/resources/natural-person-identification.ts';
import { naturalPersonBodies } from '#shared/platform/resources/natural-person-schema.ts';

const exampleOf = (field: string) => platformFields[field]?.example;

function examplesOf(fields: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map((field) => [field, exampleOf(field)]));
}

describe('the documentation of fields', () => {
  const address = examplesOf(['street', 'streetNumber', 'city', 'zip', 'additionalInfo', 'country']);
  const { newNaturalPerson } = naturalPersonBodies(platformProfile.parse({}));
  const nested: Readonly<Record<string, unknown>> = {
    mainAddress: address,
    correspondenceAddress: address,
    contact: examplesOf(['phone', 'email', 'fax', 'website']),
    nationalities: [examplesOf(['countryCode', 'nationalIdentifier', 'nationalIdentifierType'])],
    taxDetails: [examplesOf(['taxId', 'taxResidency', 'noTinConfirmation'])],
    naceSectors: [{ section: exampleOf('naceSectors.section'), description: exampleOf('naceSectors.description') }],
  };

  it.each<[string, { readonly shape: object } & z.ZodMiniType]>([
    ['a new person', newNaturalPerson],
    ['an identification', identificationFields],
  ])('has examples that the schema of %s takes', (_, schema) => {
    const fields = Object.keys(schema.shape);
    const body = Object.fromEntries(fields.map((field) => [field, nested[field] ?? exampleOf(field)]));
    expect(Object.keys(body).filter((field) => body[field] === undefined)).toEqual([]);
    expect(schema.safeParse(body).error).toBeUndefined();
  });

  it('fails the build of the package where a field has none', () => {
    const declaration = (field: string) =>
      `export declare const fullTypes: {\n    platform: {\n        Transfer: {\n            ${field}: string;\n        };\n    };\n};\n`;
    expect(readFullTypes(declaration('transferId')).get('Transfer')).toContain('     * Format: a UUID.\n');
    expect(() => readFullTypes(declaration('colour'))).toThrow('Say in field-meanings.ts what Transfer.colour means.');
  });

  it('has the meaning, the range and the default of a setting in a list or group', () => {
    const declaration = [
      'export declare const fullTypes: {',
      '    settings: {',
      '        DrawbridgeSettings: {',
      '            readonly backup?: {',
      '                readonly copies?: readonly {',
      '                    readonly vaultArn: string;',
      '                }[] | undefined;',
      '                readonly hour?: number | undefined;',
      '            } | undefined;',
      '        };',
      '    };',
      '};',
    ].join('\n');
    const type = readFullTypes(declaration).get('DrawbridgeSettings');
    expect(type).toContain(
      'The hour (UTC) at which the daily backups begin.\n         * 0 to 23.\n         * @default 3\n',
    );
    expect(type).toContain('* A vault that exists, with a key of its own.\n');
  });
});
