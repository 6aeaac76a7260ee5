/** Where the echo service answers. */
export const ECHO_SUBJECT = 'bench.echo';
