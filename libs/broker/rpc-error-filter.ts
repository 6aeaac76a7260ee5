import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Lets errors reach the JSON-RPC server as they were thrown. Without it (`app.useGlobalFilters(new RpcErrorFilter())`)
 * Nest turns every error into "Internal server error" before the server sees it.
 */
@Catch()
export class RpcErrorFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
