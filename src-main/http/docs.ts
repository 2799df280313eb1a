import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import openApi from '../../docs/openapi.json' with { type: 'json' };
import { PAGE_HEADERS, PAGE_POLICY } from './security-headers.ts';

/** The description of the interface as it is committed. `buildOpenApi` makes it from the contract, which takes longer than all else of a start. */
export const document: StaticDocumentSpec['document'] = openApi as unknown as StaticDocumentSpec['document'];

/** Serves the description of the interface as pages under `/docs`: all files are our own, nothing is asked of any other place. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      reply.headers(PAGE_HEADERS);
    });
    await docs.register(swagger, { mode: 'static', specification: { document } });
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: PAGE_POLICY,
      uiConfig: { docExpansion: 'list', validatorUrl: null, persistAuthorization: true, tryItOutEnabled: true },
      theme: { title: 'Loopcheck API' },
    });
  });
}
