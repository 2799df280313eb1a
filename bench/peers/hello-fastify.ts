/** The least that a service on the same framework does: one route, listening. */
import Fastify from 'fastify';

const app = Fastify();
app.get('/', async () => ({ hello: 'world' }));
console.log(`listening on ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
