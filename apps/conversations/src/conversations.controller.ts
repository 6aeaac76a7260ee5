import { Controller, Inject } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

import type { RpcContext } from '#broker/json-rpc-server.js';
import { notImplemented } from '#contracts/errors.js';
import { ADMIN_METHODS, type AdminMethod } from '#contracts/methods.js';

import { type CommandHandler, runCommand } from './commands/run-command.js';
import { DEPENDENCIES, type Dependencies } from './dependencies.js';
import { agentEventsList } from './handlers/agent-events-list.js';
import { agentEventsRead } from './handlers/agent-events-read.js';
import { agentEventsSearch } from './handlers/agent-events-search.js';
import { auditList } from './handlers/audit-list.js';
import { conversationsList } from './handlers/conversations-list.js';
import { draftsDiscard } from './handlers/drafts-discard.js';
import { draftsList } from './handlers/drafts-list.js';
import { draftsSend } from './handlers/drafts-send.js';
import { intervene } from './handlers/intervene.js';
import { escalationsList } from './handlers/escalations-list.js';
import { escalationsResolve } from './handlers/escalations-resolve.js';
import { operatorsCreate } from './handlers/operators-create.js';
import { operatorsList } from './handlers/operators-list.js';
import { operatorsRevoke } from './handlers/operators-revoke.js';
import { operatorsRotate } from './handlers/operators-rotate.js';
import { pause } from './handlers/pause.js';
import { preview } from './handlers/preview.js';
import { processingPending } from './handlers/processing-pending.js';
import { processingState } from './handlers/processing-state.js';
import { resume } from './handlers/resume.js';

type Routes = { [Name in AdminMethod]?: CommandHandler<Name, Dependencies> };

/** Each command and its handler. The contract's other commands are answered `not_implemented`. */
const ROUTES: Routes = {
  'nexo/admin/agent_events/list': agentEventsList,
  'nexo/admin/agent_events/read': agentEventsRead,
  'nexo/admin/agent_events/search': agentEventsSearch,
  'nexo/admin/audit/list': auditList,
  'nexo/admin/conversations/list': conversationsList,
  'nexo/admin/escalations/list': escalationsList,
  'nexo/admin/escalations/resolve': escalationsResolve,
  'nexo/admin/drafts/discard': draftsDiscard,
  'nexo/admin/drafts/list': draftsList,
  'nexo/admin/drafts/send': draftsSend,
  'nexo/admin/processing/intervention': intervene,
  'nexo/admin/operators/create': operatorsCreate,
  'nexo/admin/operators/list': operatorsList,
  'nexo/admin/operators/revoke': operatorsRevoke,
  'nexo/admin/operators/rotate': operatorsRotate,
  'nexo/admin/processing/pause': pause,
  'nexo/admin/processing/pending': processingPending,
  'nexo/admin/processing/preview': preview,
  'nexo/admin/processing/resume': resume,
  'nexo/admin/processing/state': processingState,
};

@Controller()
export class ConversationsController {
  constructor(@Inject(DEPENDENCIES) private readonly deps: Dependencies) {}

  @MessagePattern(Object.keys(ADMIN_METHODS))
  command(@Payload() params: unknown, @Ctx() request: RpcContext): Promise<unknown> {
    const method = request.method as AdminMethod;
    const handler = (ROUTES[method] ?? answerNotImplemented) as CommandHandler<AdminMethod, Dependencies>;
    return runCommand(this.deps, method, handler, params, request);
  }
}

function answerNotImplemented(_deps: Dependencies, _params: unknown, { method }: { method: string }): never {
  throw notImplemented(method);
}
