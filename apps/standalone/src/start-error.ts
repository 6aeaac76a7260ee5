/** Why Holdline cannot start, in one sentence that says what to do; shown without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
