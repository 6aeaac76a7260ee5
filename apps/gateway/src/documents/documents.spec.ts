import SwaggerParser from '@apidevtools/swagger-parser';
import { Parser } from '@asyncapi/parser';

import { ADMIN_METHODS, METHODS, subjectOfMethod } from '#contracts/methods.js';

import { contractDocuments } from './contract-documents.js';

describe('the descriptions of the contract', () => {
  const { openapi, asyncapi } = contractDocuments('1.2.3');

  test('are valid by the validators of OpenAPI 3.1', async () => {
    const parsed = JSON.parse(openapi);
    expect(parsed.openapi).toBe('3.1.0');
    await expect(SwaggerParser.validate(parsed)).resolves.toBeDefined();
  });

  test('are valid by the validator of AsyncAPI 3', async () => {
    const { document, diagnostics } = await new Parser().parse(asyncapi);
    expect(diagnostics.filter(({ severity }) => severity <= 1)).toEqual([]);
    expect(document?.version()).toBe('3.0.0');
  });

  test('have every method, with the schemas of the contract', () => {
    const http = JSON.parse(openapi);
    const nats = JSON.parse(asyncapi);
    expect(Object.keys(http.components.schemas.RpcRequest.discriminator.mapping)).toEqual(Object.keys(ADMIN_METHODS));
    const addresses = Object.values<{ address: string }>(nats.channels).map(({ address }) => address);
    expect(addresses).toEqual(expect.arrayContaining(Object.keys(METHODS).map(subjectOfMethod)));
    for (const { schemas } of [http.components, nats.components]) {
      expect(schemas.AdminProcessingPauseParams.required).toEqual(['scope', 'operator_token_hash']);
      expect(schemas.AdminProcessingPauseParams.properties.scope).toMatchObject({
        $ref: '#/components/schemas/ProcessingScope',
      });
    }
  });
});
