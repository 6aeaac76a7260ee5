import * as subjects from './subjects.js';

const ids = { agent_id: 'ana', channel: 'whatsapp', account_id: '55-1234', contact_id: '55@s.whatsapp.net' };
const LONGEST = 'é'.repeat(128);

describe('subjects', () => {
  test('name agent, channel, account and contact, each one token', () => {
    expect(subjects.inboundSubject(ids)).toBe('nexo.inbound.ana.whatsapp.55-1234.55@s%2Ewhatsapp%2Enet');
    expect(subjects.turnSubject(ids)).toBe('nexo.turns.ana.whatsapp.55-1234.55@s%2Ewhatsapp%2Enet');
  });

  test('end with the MCP source where there is one', () => {
    expect(subjects.turnSubject({ ...ids, mcp_channel_source: 'my slack' })).toMatch(/\.my%20slack$/);
  });

  test('of events name the agent, or system without one', () => {
    expect(subjects.eventSubject('ana.b', 'turn_failed')).toBe('nexo.agent_events.ana%2Eb.turn_failed');
    expect(subjects.eventSubject(undefined, 'person_changed')).toBe('nexo.agent_events.system.person_changed');
  });

  test('of channels, quarantine and the notification are as the contract says', () => {
    expect(subjects.channelSendSubject('wa', 'a.1')).toBe('nexo.channel.wa.a%2E1.send');
    expect(subjects.channelStatusSubject('wa', 'a1')).toBe('nexo.channel.wa.a1.status');
    expect(subjects.channelEchoSubject('wa', 'a1')).toBe('nexo.channel.wa.a1.echo');
    expect(subjects.quarantineSubject('too_large')).toBe('nexo.quarantine.too_large');
    expect(subjects.NOTIFY_STATE_CHANGED_SUBJECT).toBe('nexo.notify.processing_state_changed');
    expect(subjects.notificationMessageId('e1')).toBe('notify:e1');
  });

  test('are refused above 1,024 bytes', () => {
    const long = { ...ids, agent_id: LONGEST, contact_id: LONGEST };
    expect(() => subjects.inboundSubject(long)).toThrow(/at most 1024 bytes/);
    expect(() => subjects.turnSubject(long)).toThrow(RangeError);
    expect(subjects.eventSubject(LONGEST, 'turn_failed').length).toBeLessThanOrEqual(1024);
  });
});

describe('conversationSubjectFits', () => {
  const withContact = (length: number) => ({ ...ids, contact_id: 'c'.repeat(length) });
  const room = 1024 - subjects.inboundSubject(withContact(0)).length;

  test('accepts exactly 1,024 bytes and nothing more', () => {
    expect(subjects.inboundSubject(withContact(room))).toHaveLength(1024);
    expect(subjects.conversationSubjectFits(withContact(room))).toBe(true);
    expect(subjects.conversationSubjectFits(withContact(room + 1))).toBe(false);
  });

  test('counts a character at its encoded size', () => {
    expect(subjects.conversationSubjectFits({ ...ids, contact_id: '\u3000'.repeat(110) })).toBe(true);
    expect(subjects.conversationSubjectFits({ ...ids, contact_id: '\u3000'.repeat(111) })).toBe(false);
  });
});

describe('reading a subject', () => {
  test('agentTokenOf gives the third token', () => {
    expect(subjects.agentTokenOf('nexo.inbound.ana%2Eb.whatsapp.a.c')).toBe('ana%2Eb');
    expect(subjects.agentTokenOf('nexo.inbound')).toBe('');
  });

  test('namesAgent compares the id behind the token', () => {
    expect(subjects.namesAgent('nexo.inbound.ana%2Eb.whatsapp.a.c', 'ana.b')).toBe(true);
    expect(subjects.namesAgent('nexo.inbound.ana%2eb.whatsapp.a.c', 'ana.b')).toBe(true);
    expect(subjects.namesAgent('nexo.inbound.ana.whatsapp.a.c', 'bob')).toBe(false);
    expect(subjects.namesAgent('nexo.inbound.100%.whatsapp.a.c', '100%')).toBe(false);
  });

  test('channelOfSubject gives the account that a report is from', () => {
    expect(subjects.channelOfSubject('nexo.channel.wa.a%2E1.echo')).toStrictEqual({ channel: 'wa', account_id: 'a.1' });
    expect(subjects.channelOfSubject('nexo.channel.wa.echo')).toBeUndefined();
    expect(subjects.channelOfSubject('nexo.turns.wa.a.echo')).toBeUndefined();
    expect(subjects.channelOfSubject('nexo.channel.wa.a.b.echo')).toBeUndefined();
    expect(subjects.channelOfSubject('nexo.channel.wa.%FF.echo')).toBeUndefined();
  });
});
