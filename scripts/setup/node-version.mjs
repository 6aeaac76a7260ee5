const OLDEST = [20, 19];

/** Ends the process with one sentence when Node.js is older than the code needs. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  console.error(`Holdline needs Node.js ${OLDEST.join('.')} or later, and this is ${process.versions.node}.`);
  process.exit(1);
}
