import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHOWN = 40;

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Where the profiled processes spent their time, over all profiles of a directory: a table of self time. */
export function profileSummary(directory: string): string {
  const microseconds = new Map<string, number>();
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'))) {
    addSelfTimes(JSON.parse(readFileSync(join(directory, file), 'utf8')) as CpuProfile, microseconds);
  }
  const total = [...microseconds.values()].reduce((sum, time) => sum + time, 0);
  const lines = [...microseconds]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, SHOWN)
    .map(([place, time]) => `${((time * 100) / total).toFixed(1).padStart(5)} %  ${place}`);
  return [`Self time of the gate, all rounds (open ${directory} in a profile viewer for more):`, ...lines].join('\n');
}

function addSelfTimes(profile: CpuProfile, microseconds: Map<string, number>): void {
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  profile.samples.forEach((node, sample) => {
    const place = places.get(node) ?? '(unknown)';
    microseconds.set(place, (microseconds.get(place) ?? 0) + (profile.timeDeltas[sample] ?? 0));
  });
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  const file = url.startsWith('file:') ? relative(process.cwd(), fileURLToPath(url)) : url;
  return `${name}  ${file}:${lineNumber + 1}`;
}
