import { type DynamicModule, Module } from '@nestjs/common';

import { ConversationsController } from './conversations.controller.js';
import { DEPENDENCIES, type Dependencies } from './dependencies.js';

/** The commands, with what their handlers are given. */
@Module({})
export class ConversationsModule {
  static with(deps: Dependencies): DynamicModule {
    return {
      module: ConversationsModule,
      controllers: [ConversationsController],
      providers: [{ provide: DEPENDENCIES, useValue: deps }],
    };
  }
}
