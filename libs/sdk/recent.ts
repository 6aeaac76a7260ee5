/** A map that forgets its oldest keys, so that it never grows beyond its capacity. */
export class Recent<Key, Value> {
  private readonly values = new Map<Key, Value>();

  constructor(private readonly capacity: number) {}

  get(key: Key): Value | undefined {
    return this.values.get(key);
  }

  set(key: Key, value: Value): void {
    this.values.delete(key);
    this.values.set(key, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.capacity) this.values.delete(oldest as Key);
  }

  all(): Iterable<Value> {
    return this.values.values();
  }

  /** The value of the key, made if there is none. */
  getOrAdd(key: Key, make: () => Value): Value {
    const known = this.values.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.set(key, value);
    return value;
  }
}
