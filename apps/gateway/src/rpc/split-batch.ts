const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** The elements of a valid JSON array, each as it was written, so that nothing is lost by writing it anew. */
export function splitArray(json: Uint8Array): Uint8Array[] {
  const elements: Uint8Array[] = [];
  let depth = 0;
  let inString = false;
  let start = json.indexOf(0x5b) + 1;
  const take = (end: number) => {
    const element = json.subarray(start, end);
    if (element.some((byte) => byte > 0x20)) elements.push(element);
    start = end + 1;
  };
  for (let index = start - 1; index < json.length; index++) {
    const byte = json[index] as number;
    if (inString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPEN.has(byte)) depth++;
    else if (CLOSE.has(byte) && --depth === 0) take(index);
    else if (byte === COMMA && depth === 1) take(index);
  }
  return elements;
}
