import { notImplemented } from '#contracts/errors.js';
import { METHODS, type Method, type ParamsOf } from '#contracts/methods.js';
import { parseParams } from '#contracts/parse-params.js';
import { type ConversationScope, isRouted, type ProcessingScope } from '#contracts/processing-scope.js';

/** Params after the checks: a scope that is there is a conversation. */
export type RoutedParams<Params> = Params extends { scope: ProcessingScope }
  ? Params & { scope: ConversationScope }
  : Params;

/**
 * Reads the params of a method.
 * @throws RpcError `invalid_params` if their shape is wrong, `not_implemented` if their scope is a reserved one
 */
export function routedParams<Name extends Method>(method: Name, rawParams: unknown): RoutedParams<ParamsOf<Name>> {
  const params = parseParams(METHODS[method].params, rawParams) as ParamsOf<Name>;
  const { scope } = params as { scope?: ProcessingScope };
  if (scope !== undefined && !isRouted(scope)) throw notImplemented(`a scope of the kind ${scope.kind}`);
  return params as RoutedParams<ParamsOf<Name>>;
}
