const MAX_KEYS = 20_000;

interface Bucket {
  left: number;
  at: number;
}

/** A budget of requests a minute for each key; what was not used comes back evenly. */
export class RateLimiter {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    /** Milliseconds that only rise. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Takes `count` from the budget of a key. More than the whole budget at once is taken as the whole of it.
   * @returns 0, or in how many milliseconds there will be enough; then nothing was taken
   */
  take(key: string, count = 1): number {
    const wanted = Math.min(count, this.perMinute);
    const bucket = this.bucketOf(key);
    if (bucket.left < wanted) return Math.ceil(((wanted - bucket.left) * 60_000) / this.perMinute);
    bucket.left -= wanted;
    return 0;
  }

  private bucketOf(key: string): Bucket {
    const at = this.now();
    const known = this.buckets.get(key);
    this.buckets.delete(key);
    const regained = known === undefined ? this.perMinute : ((at - known.at) * this.perMinute) / 60_000;
    const bucket = { left: Math.min(this.perMinute, (known?.left ?? 0) + regained), at };
    this.buckets.set(key, bucket);
    if (this.buckets.size > MAX_KEYS) this.buckets.delete(this.buckets.keys().next().value as string);
    return bucket;
  }
}
