interface Coverage {
  static: object;
  perTest: object;
}

const { __stryker__: run } = globalThis as { readonly __stryker__?: { readonly mutantCoverage?: Coverage } };

/**
 * Begins the coverage of a file of tests anew, in a mutation run. Files share their modules there, each hands over what its process has counted so far, and the sums of
 * some hundred files are more than a process can hold.
 */
if (run?.mutantCoverage) {
  run.mutantCoverage.static = {};
  run.mutantCoverage.perTest = {};
}
