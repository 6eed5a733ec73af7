import fc from 'fast-check';

// The same cases for each mutant, so that a score can be measured again; and no search for a smaller counterexample.
fc.configureGlobal({ seed: 1, endOnFailure: true });
