import fc from 'fast-check';

// A mutant is caught by any counterexample: the search for a smaller one would only cost time.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
