import { type DynamicModule, Module } from '@nestjs/common';

import { DEPENDENCIES, type Dependencies } from './dependencies.js';
import { DocumentsController } from './documents/documents.controller.js';
import { EventsController } from './events/events.controller.js';
import { RpcController } from './rpc/rpc.controller.js';
import { SessionController } from './session/session.controller.js';

/** What is served over HTTP, with what it is given. */
@Module({})
export class GatewayModule {
  static with(deps: Dependencies): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [RpcController, EventsController, SessionController, DocumentsController],
      providers: [{ provide: DEPENDENCIES, useValue: deps }],
    };
  }
}
