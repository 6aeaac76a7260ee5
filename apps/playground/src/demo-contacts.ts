import type { ConversationScope } from '#contracts/processing-scope.js';

/** The agent that answers the demo's contacts. */
export const DEMO_AGENT_ID = 'demo-bike-shop';

/** What a contact may send next: a text, or a picture without one. */
export type Line = string | { picture: string };

/** A made-up person who writes to the demo's channels. */
export interface DemoContact {
  scope: ConversationScope;
  lines: readonly [Line, ...Line[]];
}

const onWhatsApp = {
  kind: 'conversation',
  agent_id: DEMO_AGENT_ID,
  channel: 'whatsapp',
  account_id: 'demo-line',
} as const;
const onWebChat = {
  kind: 'conversation',
  agent_id: DEMO_AGENT_ID,
  channel: 'webchat',
  account_id: 'demo-site',
} as const;

/** Nobody can be reached by these ids: the telephone numbers are of the block that is kept for fiction. */
export const DEMO_CONTACTS: readonly DemoContact[] = [
  {
    scope: { ...onWhatsApp, contact_id: '12025550142@s.whatsapp.net' },
    lines: [
      'Hi! Where is my order 4711?',
      'It was promised for yesterday.',
      'Can you tell the courier to ring twice?',
      'Has order 4711 left the warehouse?',
    ],
  },
  {
    scope: { ...onWhatsApp, contact_id: '12025550187@s.whatsapp.net' },
    lines: [
      'The brake lever arrived broken.',
      { picture: 'https://shop.example/pictures/brake-lever.jpg' },
      'I would like a refund for the lever.',
      // A number that is made for tests; the transcript shows it redacted.
      'Please send the refund to card 4111 1111 1111 1111.',
    ],
  },
  {
    scope: { ...onWebChat, contact_id: 'visitor-7f3a' },
    lines: ['When do you open on Saturday?', 'Do you repair e-bikes?', 'How long does an inspection take? 🚲'],
  },
  {
    scope: { ...onWebChat, contact_id: 'visitor-b21c' },
    lines: ['Is the blue gravel bike in stock?', 'Which frame size for 1.78 m?', 'May I try it before I buy?'],
  },
];
