/**
 * A copy of a JSON value in which every string has passed through `mapText`; keys stay as they are.
 * `mapText` also gets the key of the member that a string is the value of (none for an array's item or a bare string).
 * Any depth is safe, `__proto__` is an ordinary key, and a value in which nothing changes comes back as it is.
 */
export function mapJsonStrings(value: unknown, mapText: (text: string, key?: string) => string): unknown {
  let changed = false;
  const open: [source: Container, copy: Container][] = [];

  const copyOf = (child: unknown, key?: string): unknown => {
    if (typeof child === 'string') {
      const mapped = mapText(child, key);
      if (mapped !== child) changed = true;
      return mapped;
    }
    if (!isContainer(child)) return child;
    const copy = Array.isArray(child) ? [] : {};
    open.push([child, copy]);
    return copy;
  };

  const root = copyOf(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const [source, copy] = next;
    if (Array.isArray(source)) for (const item of source) (copy as unknown[]).push(copyOf(item));
    else for (const [key, member] of Object.entries(source)) setMember(copy as Members, key, copyOf(member, key));
  }
  return changed ? root : value;
}

type Members = Record<string, unknown>;
type Container = Members | unknown[];

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function setMember(target: Members, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
