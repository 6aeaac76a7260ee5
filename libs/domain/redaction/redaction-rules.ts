import { BUILT_IN_LABELS } from './built-in-rules.js';
import { compileExtraRule, type ExtraRule } from './extra-rule.js';
import { RedactionRulesError } from './redaction-rules-error.js';

/** What an operator adds to the built-in rules, or takes from them. */
export interface RedactionRules {
  rules?: readonly ExtraRule[];
  /** Labels of built-in rules to turn on. */
  enable?: readonly string[];
  /** Labels of built-in rules to turn off. */
  disable?: readonly string[];
}

/** Longest text of a file of rules, in characters. */
export const MAX_RULES_FILE_CHARACTERS = 65_536;
export const MAX_RULES = 64;
/** The sum of the sizes of all programs, in instructions: what a character of a hostile text may cost. */
export const MAX_TOTAL_PROGRAM_SIZE = 256;

/**
 * Reads the text of a file of rules:
 * `{"rules": [{"label": "employee", "pattern": "EMP-\\d{6}", "flags": "i"}], "enable": ["phone"], "disable": ["card"]}`.
 * All fields but a rule's `label` and `pattern` may be left out. Throws a RedactionRulesError.
 */
export function parseRedactionRules(text: string): RedactionRules {
  if (text.length > MAX_RULES_FILE_CHARACTERS) {
    throw new RedactionRulesError(`The redaction rules are longer than ${MAX_RULES_FILE_CHARACTERS} characters.`);
  }
  const file = fieldsOf(parseJson(text), 'The file', ['rules', 'enable', 'disable']);
  const rules = listOf(file['rules'], 'rules').map((rule, index) => parseRule(rule, `rules[${index}]`));
  if (rules.length > MAX_RULES) throw new RedactionRulesError(`rules holds more than ${MAX_RULES} rules`);
  const totalSize = rules.reduce((sum, { programSize }) => sum + programSize, 0);
  if (totalSize > MAX_TOTAL_PROGRAM_SIZE) {
    throw new RedactionRulesError(
      `rules are too complex together: they need ${totalSize} steps, at most ${MAX_TOTAL_PROGRAM_SIZE} are allowed`,
    );
  }
  return {
    rules,
    enable: listOf(file['enable'], 'enable').map((label, index) => parseBuiltInLabel(label, `enable[${index}]`)),
    disable: listOf(file['disable'], 'disable').map((label, index) => parseBuiltInLabel(label, `disable[${index}]`)),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new RedactionRulesError(`The redaction rules are not JSON: ${(error as Error).message}`);
  }
}

function parseRule(rule: unknown, path: string): ExtraRule {
  const { label, pattern, flags = '' } = fieldsOf(rule, path, ['label', 'pattern', 'flags']);
  return compileExtraRule(
    textOf(label, `${path}.label`),
    textOf(pattern, `${path}.pattern`),
    textOf(flags, `${path}.flags`),
    path,
  );
}

function parseBuiltInLabel(label: unknown, path: string): string {
  const known = textOf(label, path);
  if (BUILT_IN_LABELS.includes(known)) return known;
  throw new RedactionRulesError(`${path} "${known}" is no built-in rule; there are ${BUILT_IN_LABELS.join(', ')}`);
}

function fieldsOf(value: unknown, path: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RedactionRulesError(`${path} must be an object with ${known.join(', ')}`);
  }
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return value as Record<string, unknown>;
  throw new RedactionRulesError(`${path} has an unknown field "${unknown}"; there are ${known.join(', ')}`);
}

function listOf(value: unknown, path: string): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new RedactionRulesError(`${path} must be a list`);
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new RedactionRulesError(`${path} must be a text`);
}
