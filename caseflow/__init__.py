"""caseflow keeps the legal clock of a public agency."""
