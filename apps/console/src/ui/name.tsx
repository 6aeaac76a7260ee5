import { plainName } from '../format/safe-text.js';

/** An id or a name, which cannot reorder or hide what stands around it. */
export function Name({ children }: { children: string }) {
  return <bdi className="name">{plainName(children)}</bdi>;
}
