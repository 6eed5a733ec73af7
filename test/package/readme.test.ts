import { describe } from 'vitest';
import { testReadmeExamples } from './readme-examples.ts';

describe('the README of the package', () => testReadmeExamples(() => process.execPath));
