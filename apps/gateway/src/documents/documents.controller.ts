import { Controller, Get, Header, Inject } from '@nestjs/common';

import { DEPENDENCIES, type Dependencies } from '../dependencies.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The descriptions of the contract for other programs. */
@Controller()
export class DocumentsController {
  constructor(@Inject(DEPENDENCIES) private readonly deps: Dependencies) {}

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  openapi(): string {
    return this.deps.documents.openapi;
  }

  @Get('asyncapi.json')
  @Header('content-type', JSON_TYPE)
  asyncapi(): string {
    return this.deps.documents.asyncapi;
  }
}
