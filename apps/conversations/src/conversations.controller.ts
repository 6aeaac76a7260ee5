import { Controller, Inject } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

import type { RpcContext } from '#broker/json-rpc-server.js';

import { runCommand } from './commands/run-command.js';
import { DEPENDENCIES, type Dependencies } from './dependencies.js';
