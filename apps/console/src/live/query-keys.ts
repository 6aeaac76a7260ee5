/** The names of what is read, for the query cache. */
export const queryKeys = {
  inbox: ['inbox'] as const,
  transcript: (agentId: string, sessionId: string) => ['transcript', agentId, sessionId] as const,
  allTranscripts: ['transcript'] as const,
  /** What a conversation keeps: buffer and drafts. */
  buffer: (key: string) => ['buffer', key] as const,
  drafts: (key: string) => ['drafts', key] as const,
  preview: (key: string, session: string | undefined, summary: string) => ['preview', key, session, summary] as const,
  previews: (key: string) => ['preview', key] as const,
  escalations: ['escalations'] as const,
  audit: ['audit'] as const,
  operators: ['operators'] as const,
  search: (agents: readonly string[], text: string) => ['search', agents, text] as const,
};
