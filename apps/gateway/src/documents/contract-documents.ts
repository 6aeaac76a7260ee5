import { asyncApiDocument } from './asyncapi-document.js';
import { openApiDocument } from './openapi-document.js';

/** The descriptions of what Holdline speaks, as JSON texts. */
export interface ContractDocuments {
  openapi: string;
  asyncapi: string;
}

/** @param version of Holdline */
export function contractDocuments(version: string): ContractDocuments {
  return {
    openapi: JSON.stringify(openApiDocument(version)),
    asyncapi: JSON.stringify(asyncApiDocument(version)),
  };
}
