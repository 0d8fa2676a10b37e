// The OpenAPI and AsyncAPI documents that a running emulator serves, with its own addresses.

import { apiPath } from '#contract/authorization.ts';
import { createAsyncApi } from '#contract-document/asyncapi.ts';
import { createOpenApi } from '#contract-document/openapi.ts';
import { jsonResponse, type OutgoingResponse } from './http/response.ts';
import { dataCentres, originOf, type Service } from './service/service.ts';

export const documentPaths = { openApi: '/openapi.json', asyncApi: '/asyncapi.json' } as const;

export function openApiDocument(service: Service): OutgoingResponse {
  const api = dataCentres.map((name) => ({
    url: `${originOf(service, name)}${apiPath}`,
    description: `The data centre ${name}`,
  }));
  return jsonResponse(200, createOpenApi({ authUrl: originOf(service, 'US'), api }));
}

export const asyncApiDocument = () => jsonResponse(200, createAsyncApi());
