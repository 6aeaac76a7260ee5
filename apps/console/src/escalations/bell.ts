const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.15;

/** Two short notes. */
export function playBell(): void {
  const audio = new AudioContext();
  NOTES_HZ.forEach((frequency, index) => {
    const from = audio.currentTime + index * NOTE_SECONDS;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + NOTE_SECONDS);
  });
  setTimeout(() => void audio.close(), NOTES_HZ.length * NOTE_SECONDS * 1_000 + 100);
}
