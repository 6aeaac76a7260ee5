/** The redaction rules cannot be used; the message names the place in the file and what to change. */
export class RedactionRulesError extends Error {
  override readonly name = 'RedactionRulesError';
}
