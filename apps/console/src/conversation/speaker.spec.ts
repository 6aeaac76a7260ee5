import { speakerOf } from './speaker.js';

const line = (role: 'user' | 'assistant' | 'tool' | 'system', sender_id?: string, source_plugin = 'web') =>
  speakerOf({ role, source_plugin, ...(sender_id === undefined ? {} : { sender_id }) });

describe('speakerOf', () => {
  it('tells contact, agent, operator, summary, tool and system apart', () => {
    expect(line('user', 'ada')).toEqual({ kind: 'contact' });
    expect(line('assistant')).toEqual({ kind: 'agent' });
    expect(line('assistant', 'operator:0a1b')).toEqual({ kind: 'operator', hash: '0a1b' });
    expect(line('assistant', 'operator:external', 'echo:web')).toEqual({ kind: 'outside' });
    expect(line('system', 'operator:0a1b', 'intervention:summary')).toEqual({ kind: 'summary', hash: '0a1b' });
    expect(line('system')).toEqual({ kind: 'system' });
    expect(line('tool')).toEqual({ kind: 'tool' });
  });

  it('does not take a contact for an operator by its id', () => {
    expect(line('user', 'operator:0a1b')).toEqual({ kind: 'contact' });
  });
});
