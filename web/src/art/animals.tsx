// SPDX-License-Identifier: MIT
//
// The animals, drawn around (0, 0) between -44 and 44, facing up: pieces of a game, and opponents of any game.
import type { JSX } from "preact";

export type AnimalKind = "chick" | "hen" | "elephant" | "giraffe" | "lion";


function Eyes({ x, y, r = 3.1 }: { x: number; y: number; r?: number }) {
  return (
    <g>
      <circle cx={-x} cy={y} r={r} class="ink" />
      <circle cx={x} cy={y} r={r} class="ink" />
      <circle cx={-x + r * 0.35} cy={y - r * 0.4} r={r * 0.34} class="glint" />
      <circle cx={x + r * 0.35} cy={y - r * 0.4} r={r * 0.34} class="glint" />
    </g>
  );
}

function Chick() {
  return (
    <g>
      <path d="M-2 -22 q-7 -8 -3 -11 q3 3 4 8 q0 -7 5 -9 q3 5 -2 12z" fill="#f0b400" />
      <path d="M-23 7 q-10 1 -9 9 q7 4 13 -1z M23 7 q10 1 9 9 q-7 4 -13 -1z" fill="#f3bd1d" />
      <ellipse cx="0" cy="4" rx="25" ry="26" fill="#ffd84a" />
      <ellipse cx="0" cy="15" rx="15" ry="12" fill="#ffe78a" />
      <path d="M-10 29 l-4 5 M-10 29 l0 6 M-10 29 l4 5 M10 29 l-4 5 M10 29 l0 6 M10 29 l4 5" class="leg" />
      <circle cx="-14" cy="6" r="4.4" fill="#ff9f7a" opacity=".75" />
      <circle cx="14" cy="6" r="4.4" fill="#ff9f7a" opacity=".75" />
      <path d="M0 0 l7 4.6 l-7 5 l-7 -5z" fill="#f08a1c" />
      <path d="M-7 4.6 h14" stroke="#b85f0c" stroke-width="1.3" />
      <Eyes x={9.5} y={-4} r={3.4} />
    </g>
  );
}

function Hen() {
  return (
    <g>
      <path d="M-11 -18 q-5 -11 2 -13 q4 1 4 5 q1 -9 6 -9 q5 1 5 9 q1 -5 5 -4 q6 3 0 13z" fill="#e5433d" />
      <path d="M-23 8 q-11 0 -10 10 q8 5 15 -1z M23 8 q11 0 10 10 q-8 5 -15 -1z" fill="#e6ded0" />
      <ellipse cx="0" cy="5" rx="25" ry="26" fill="#fffaf0" stroke="#d9cdb8" stroke-width="1.5" />
      <path
        d="M-13 20 q4 5 8 0 q5 5 10 0 q4 5 8 0"
        fill="none"
        stroke="#d9cdb8"
        stroke-width="1.8"
        stroke-linecap="round"
      />
      <path d="M-4 11 q-3 9 1 10 q3 0 3 -5 q0 5 3 5 q4 -1 1 -10z" fill="#e5433d" />
      <path d="M0 0 l8 5.4 l-8 5.6 l-8 -5.6z" fill="#f0a11c" />
      <path d="M-8 5.4 h16" stroke="#b8740c" stroke-width="1.3" />
      <circle cx="-15" cy="5" r="4" fill="#ffb3a0" opacity=".8" />
      <circle cx="15" cy="5" r="4" fill="#ffb3a0" opacity=".8" />
      <Eyes x={10} y={-4} />
    </g>
  );
}

function Elephant() {
  return (
    <g>
      <path d="M-12 -19 q-22 -10 -24 8 q0 18 15 21 q8 0 10 -8z" fill="#8fa6c4" />
      <path d="M12 -19 q22 -10 24 8 q0 18 -15 21 q-8 0 -10 -8z" fill="#8fa6c4" />
      <path d="M-16 -14 q-14 -5 -15 5 q1 11 11 13z M16 -14 q14 -5 15 5 q-1 11 -11 13z" fill="#f2b8c0" />
      <path
        d="M-20 0 q-1 -24 20 -24 q21 0 20 24 q-1 15 -12 18 q-1 9 2 11 q6 2 8 -3 q2 -3 5 -1 q3 3 -2 8 q-7 6 -17 2 q-9 -5 -9 -18 q-14 -3 -15 -17z"
        fill="#a9bdd8"
      />
      <path
        d="M-6 15 q6 3 12 0 M-5 21 q5 2 9 0 M-3 27 q3 1 6 -1"
        fill="none"
        stroke="#7f96b4"
        stroke-width="1.8"
        stroke-linecap="round"
      />
      <path
        d="M-10 15 q-6 6 -4 12 q6 -1 8 -9z M12 14 q6 4 5 9 q-5 0 -8 -6z"
        fill="#fffdf4"
        stroke="#b9a98a"
        stroke-width="1"
      />
      <path d="M-5 -24 q1 -6 5 -7 q-1 3 1 4 q3 -3 6 -2 q-4 2 -4 6z" fill="#8fa6c4" />
      <circle cx="-13" cy="5" r="3.8" fill="#f2a3b0" opacity=".8" />
      <circle cx="13" cy="5" r="3.8" fill="#f2a3b0" opacity=".8" />
      <Eyes x={9} y={-3} r={3} />
    </g>
  );
}

function Giraffe() {
  return (
    <g>
      <path d="M-8 -20 l-3 -12 M8 -20 l3 -12" stroke="#c98b2b" stroke-width="4" stroke-linecap="round" />
      <circle cx="-11.4" cy="-32" r="4" fill="#8a5a22" />
      <circle cx="11.4" cy="-32" r="4" fill="#8a5a22" />
      <path d="M-15 -17 q-16 -7 -19 1 q4 9 17 6z M15 -17 q16 -7 19 1 q-4 9 -17 6z" fill="#e8ae3c" />
      <path d="M-17 -15 q-9 -3 -12 0 q4 4 11 3z M17 -15 q9 -3 12 0 q-4 4 -11 3z" fill="#f7d9a8" />
      <path
        d="M-18 -12 q0 -13 18 -13 q18 0 18 13 q-1 17 -5 24 q1 14 -3 19 q-10 6 -20 0 q-4 -5 -3 -19 q-4 -7 -5 -24z"
        fill="#f6c553"
      />
      <path
        d="M-13 -19 q6 -3 8 1 q-1 6 -6 5 q-5 -2 -2 -6z M5 -21 q6 -1 8 3 q-1 5 -6 3 q-4 -2 -2 -6z M-2 -10 q4 -1 5 2 q-1 4 -4 3 q-3 -2 -1 -5z M-15 1 q4 -1 5 4 q-1 4 -4 3z M15 1 q-4 -1 -5 4 q1 4 4 3z"
        fill="#c07a2a"
      />
      <ellipse cx="0" cy="23" rx="15.5" ry="12" fill="#fbe6bd" />
      <ellipse cx="-5" cy="19" rx="1.9" ry="2.5" fill="#9a6a34" />
      <ellipse cx="5" cy="19" rx="1.9" ry="2.5" fill="#9a6a34" />
      <path d="M-7 26 q7 6 14 0" fill="none" stroke="#9a6a34" stroke-width="2" stroke-linecap="round" />
      <Eyes x={10.5} y={-4} />
    </g>
  );
}

function Lion() {
  const petals: JSX.Element[] = [];
  for (let step = 0; step < 14; step++) {
    const angle = (step / 14) * 2 * Math.PI;
    petals.push(
      <circle
        key={step}
        cx={(24.5 * Math.sin(angle)).toFixed(1)}
        cy={(1 - 24.5 * Math.cos(angle)).toFixed(1)}
        r="8.6"
      />,
    );
  }
  return (
    <g>
      <g fill="#c8641c">{petals}</g>
      <circle cx="0" cy="1" r="25" fill="#d97a26" />
      <circle cx="-15" cy="-15" r="6.6" fill="#f4b555" />
      <circle cx="15" cy="-15" r="6.6" fill="#f4b555" />
      <circle cx="-15" cy="-15" r="3.2" fill="#e08e6a" />
      <circle cx="15" cy="-15" r="3.2" fill="#e08e6a" />
      <ellipse cx="0" cy="3" rx="20" ry="19.5" fill="#fbc765" />
      <ellipse cx="-5" cy="11.5" rx="7" ry="6" fill="#fff0d2" />
      <ellipse cx="5" cy="11.5" rx="7" ry="6" fill="#fff0d2" />
      <path d="M-5 4 h10 q0 5 -5 6.5 q-5 -1.5 -5 -6.5z" fill="#7a3d1d" />
      <path
        d="M0 10 v3 M0 13 q-3 4 -7 1.5 M0 13 q3 4 7 1.5"
        fill="none"
        stroke="#7a3d1d"
        stroke-width="1.8"
        stroke-linecap="round"
      />
      <path
        d="M-10 11 l-12 -2 M-10 13.5 l-12 2 M10 11 l12 -2 M10 13.5 l12 2"
        stroke="#a5683a"
        stroke-width="1.1"
        stroke-linecap="round"
      />
      <Eyes x={8.5} y={-2} r={3.2} />
    </g>
  );
}

const drawings: Readonly<Record<AnimalKind, () => JSX.Element>> = {
  chick: Chick,
  hen: Hen,
  elephant: Elephant,
  giraffe: Giraffe,
  lion: Lion,
};

/** How each drawing is fitted between its dots. */
const fits: Readonly<Record<AnimalKind, string>> = {
  chick: "translate(0 2) scale(.92)",
  hen: "translate(0 2) scale(.87)",
  elephant: "translate(0 0) scale(.9)",
  giraffe: "translate(0 .5) scale(.84)",
  lion: "translate(0 0) scale(.9)",
};

/** An animal without a tile. */
export function Drawing({ kind }: { readonly kind: AnimalKind }) {
  const Drawn = drawings[kind];
  return (
    <g transform={fits[kind]}>
      <Drawn />
    </g>
  );
}

/** A picture of its own. */
export function AnimalPicture({ kind, crowned = false }: { readonly kind: AnimalKind; readonly crowned?: boolean }) {
  return (
    <svg class="animal picture" viewBox="-46 -50 92 96" aria-hidden="true">
      <Drawing kind={kind} />
      {crowned && <path class="crown" d="M-20 -30 L-24 -48 L-10 -39 L0 -50 L10 -39 L24 -48 L20 -30 z" />}
    </svg>
  );
}
