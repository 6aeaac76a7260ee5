import { type DynamicModule, Module } from '@nestjs/common';

import { AgentController } from './agent.controller.js';
import { ConversationsController } from './conversations.controller.js';
import { DEPENDENCIES, type Dependencies } from './dependencies.js';

/** The commands and what agents ask, with what their handlers are given. */
@Module({})
export class ConversationsModule {
  static with(deps: Dependencies): DynamicModule {
    return {
      module: ConversationsModule,
      controllers: [ConversationsController, AgentController],
      providers: [{ provide: DEPENDENCIES, useValue: deps }],
    };
  }
}
