import { invalidParams } from './errors.js';
import { MAX_SUMMARY_CHARACTERS } from './limits.js';
import { countCharacters } from './text.js';

/**
 * The rules of `summary_for_agent`, for resume and preview; call it after the token check.
 * Throws `session_id_required_with_summary`, `empty_summary` or `summary_too_long`.
 */
export function checkSummary(params: { session_id?: string; summary_for_agent?: string }): void {
  const summary = params.summary_for_agent;
  if (summary === undefined) return;
  if (params.session_id === undefined) {
    const detail = 'summary_for_agent needs the session_id of the session that it goes to';
    throw invalidParams('session_id', detail, 'session_id_required_with_summary');
  }
  if (summary.trim() === '') {
    throw invalidParams('summary_for_agent', 'leave it out or write something', 'empty_summary');
  }
  if (summary.length > MAX_SUMMARY_CHARACTERS && countCharacters(summary) > MAX_SUMMARY_CHARACTERS) {
    throw invalidParams('summary_for_agent', `at most ${MAX_SUMMARY_CHARACTERS} characters`, 'summary_too_long');
  }
}
