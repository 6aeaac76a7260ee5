import { Controller, Inject } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

import type { RpcContext } from '#broker/json-rpc-server.js';
import { AGENT_METHODS, type AgentMethod } from '#contracts/methods.js';

import { type AgentHandler, runAgentRequest } from './agent/run-agent-request.js';
import { DEPENDENCIES, type Dependencies } from './dependencies.js';
import { agentDone } from './handlers/agent-done.js';
import { agentEscalate } from './handlers/agent-escalate.js';
import { agentReply } from './handlers/agent-reply.js';
import { agentTranscript } from './handlers/agent-transcript.js';

type Routes = { [Name in AgentMethod]: AgentHandler<Name, Dependencies> };

/** Each request of an agent and its handler. */
const ROUTES: Routes = {
  'nexo/agent/done': agentDone,
  'nexo/agent/escalate': agentEscalate,
  'nexo/agent/reply': agentReply,
  'nexo/agent/transcript': agentTranscript,
};

@Controller()
export class AgentController {
  constructor(@Inject(DEPENDENCIES) private readonly deps: Dependencies) {}

  @MessagePattern(Object.keys(AGENT_METHODS))
  request(@Payload() params: unknown, @Ctx() { method, correlationId }: RpcContext): Promise<unknown> {
    const name = method as AgentMethod;
    const handler = ROUTES[name] as AgentHandler<AgentMethod, Dependencies>;
    return runAgentRequest(this.deps, name, handler, params, { correlationId });
  }
}
