/** The places of the console. */
export const PLACES = ['inbox', 'escalations', 'approvals', 'audit', 'operators', 'people', 'health'] as const;
export type Place = (typeof PLACES)[number];

/** Where the operator is. */
export interface Route {
  place: Place;
  /** The conversation that is open in the inbox. */
  conversation?: string;
}

export function parseRoute(hash: string): Route {
  const path = hash.replace(/^#?\/?/, '');
  const slash = path.indexOf('/');
  const place = PLACES.find((known) => known === (slash === -1 ? path : path.slice(0, slash))) ?? 'inbox';
  const rest = slash === -1 ? '' : path.slice(slash + 1);
  return place === 'inbox' && rest !== '' ? { place, conversation: rest } : { place };
}

export function routeHash({ place, conversation }: Route): string {
  return conversation === undefined ? `#/${place}` : `#/${place}/${conversation}`;
}
