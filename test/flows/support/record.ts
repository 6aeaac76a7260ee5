import { STREAMS, turnSubject } from '#contracts/subjects.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';
import type { TurnStreamMessage } from '#contracts/turn-stream-message.js';

import type { TestClient } from '../../harness/client.js';

/** What became of the inbounds of one conversation, in the words of the streams and transcripts. */
export interface ConversationRecord {
  /** Turns and holds with their place in the turn stream. */
  messages: { seq: number; message: TurnStreamMessage }[];
  /** Bodies that the agent was asked to answer, turn by turn. */
  asked: string[];
  /** The same without what a later resume asked again: it takes over turns that are out and not answered. */
  askedInEffect: string[];
  /** Bodies of the contact's lines, in order of stamping. */
  stamped: string[];
}

/** Reads the record of a conversation whose inbounds name no session. */
export async function recordOf(client: TestClient, scope: ConversationScope): Promise<ConversationRecord> {
  const stored = await client.stored<TurnStreamMessage>(STREAMS.turns, turnSubject(scope));
  const messages = stored.map(({ seq, body }) => ({ seq, message: body }));
  const turns = messages.map(({ message }) => message).filter((message): message is Turn => message.kind === 'turn');
  const [sessionId] = turns.map((turn) => turn.session_id);
  const lines = sessionId === undefined ? [] : await client.transcript(scope.agent_id, sessionId);
  return {
    messages,
    asked: turns.flatMap(bodiesOf),
    askedInEffect: turns.flatMap((turn) => {
      const again = turns.filter(({ cause, epoch }) => cause === 'resume' && epoch > turn.epoch).flatMap(bodiesOf);
      return bodiesOf(turn).filter((body) => !again.includes(body));
    }),
    stamped: lines.filter(({ role }) => role === 'user').map(({ body }) => body),
  };
}

function bodiesOf(turn: Turn): string[] {
  return turn.inbounds.map(({ body }) => body);
}

/** Sequence of the newest message of a stream. */
export async function lastSequence(client: TestClient, stream: string): Promise<number> {
  const answer = await client.nc.request(`$JS.API.STREAM.INFO.${stream}`);
  return answer.json<{ state: { last_seq: number } }>().state.last_seq;
}
