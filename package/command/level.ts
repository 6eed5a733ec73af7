/**
 * Stands in for the package `level`, which keeps tables on disk with compiled C++. The tables of the laptop are in memory, so that
 * the emulator never makes one.
 */
export class Level {
  constructor() {
    throw new Error('The laptop keeps its tables in memory: the package has no store on disk.');
  }
}
