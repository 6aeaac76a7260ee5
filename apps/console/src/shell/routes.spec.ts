import { parseRoute, PLACES, routeHash } from './routes.js';

describe('routes', () => {
  it('lead back from their addresses', () => {
    const routes = [
      ...PLACES.map((place) => ({ place })),
      { place: 'inbox' as const, conversation: 'ana/web/main/a%2Fb' },
    ];
    for (const route of routes) expect(parseRoute(routeHash(route))).toEqual(route);
  });

  it.each(['', '#', '#/nowhere', '#token=x', '#/inbox/'])('lead from %j to the inbox', (hash) => {
    expect(parseRoute(hash)).toEqual({ place: 'inbox' });
  });
});
