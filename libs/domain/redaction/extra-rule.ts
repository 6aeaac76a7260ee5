import { RE2JS } from 're2js';
import { LABEL } from './marker.js';
import { RedactionRulesError } from './redaction-rules-error.js';

/** Longest pattern, in characters. */
export const MAX_PATTERN_CHARACTERS = 256;
/** Largest program that a pattern may compile to, in instructions: about one a character or class that it matches. */
export const MAX_PROGRAM_SIZE = 128;

/** A rule of the operator's own, compiled for an engine whose time is linear in the text. */
export interface ExtraRule {
  label: string;
  pattern: RE2JS;
  programSize: number;
  /** The most characters that are read behind the end of a match to find it; infinite when the pattern repeats without end. */
  lookahead: number;
}

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/**
 * Compiles a rule. `pattern` is in RE2 syntax, `flags` any of `i`, `m` and `s`.
 * Throws a RedactionRulesError that begins with `path` when a part of it is wrong or beyond its limit.
 */
export function compileExtraRule(label: string, pattern: string, flags: string, path: string): ExtraRule {
  const refuse = (field: string, problem: string) => new RedactionRulesError(`${path}.${field} ${problem}`);
  if (!LABEL.test(label)) throw refuse('label', 'must be 1 to 32 of the characters a-z, 0-9, "_" and "-"');
  const flagBits = [...flags].map((flag) => FLAGS[flag]);
  if (flagBits.includes(undefined)) throw refuse('flags', 'may hold only "i", "m" and "s"');
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    throw refuse('pattern', `is longer than ${MAX_PATTERN_CHARACTERS} characters`);
  }
  const compiled = compile(pattern, flagBits as number[], (problem) => refuse('pattern', problem));
  const programSize = compiled.programSize();
  if (programSize > MAX_PROGRAM_SIZE) {
    throw refuse(
      'pattern',
      `is too complex: it needs ${programSize} steps, at most ${MAX_PROGRAM_SIZE} are allowed; repeat less`,
    );
  }
  if (compiled.matches('')) throw refuse('pattern', 'matches the empty text; let it match at least one character');
  return { label, pattern: compiled, programSize, lookahead: repeatsWithoutEnd(pattern) ? Infinity : programSize };
}

function compile(pattern: string, flagBits: number[], refuse: (problem: string) => Error): RE2JS {
  try {
    return RE2JS.compile(
      pattern,
      flagBits.reduce((all, bit) => all | bit, 0),
    );
  } catch (error) {
    throw refuse(`cannot be used: ${(error as Error).message}`);
  }
}

/** True when in doubt: an escaped or bracketed `*` or `+` counts too. */
function repeatsWithoutEnd(pattern: string): boolean {
  return /[*+]|\{\d+,\}/.test(pattern);
}
