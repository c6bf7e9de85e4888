// SPDX-License-Identifier: MIT
//
// A short knock when a piece is put down, and three notes when a game ends; made here, so that nothing has to be loaded.
import { effect } from "@preact/signals";
import { ended } from "./ending";
import { index, record, sound } from "./store";

let audio: AudioContext | null = null;

function note(frequency: number, after: number, length: number, kind: OscillatorType): void {
  audio ??= new AudioContext();
  const start = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = kind;
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0.18, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + length);
}

export function startSounds(): void {
  let before = -1;
  effect(() => {
    const { plies } = record.value;
    const now = index.value;
    const forward = now > 0 && now === plies.length && now !== before;
    before = now;
    if (!sound.value || !forward) return;
    try {
      note(190, 0, 0.09, "triangle");
      if (ended.value) [523, 659, 784].forEach((frequency, number) => note(frequency, 0.15 + number * 0.14, 0.3, "sine"));
    } catch {
      // No sound here; the page works without.
    }
  });
}
