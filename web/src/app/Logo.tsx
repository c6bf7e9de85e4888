// SPDX-License-Identifier: MIT

/** A lion's head in a few strokes; the same as the page's icon. */
export function Logo() {
  return (
    <svg class="logo" viewBox="-46 -46 92 92" aria-hidden="true">
      <circle cx="0" cy="1" r="41" fill="#d97a26" />
      <ellipse cx="0" cy="5" rx="31" ry="30" fill="#fbc765" />
      <ellipse cx="-8" cy="18" rx="11" ry="9" fill="#fff0d2" />
      <ellipse cx="8" cy="18" rx="11" ry="9" fill="#fff0d2" />
      <path d="M-8 6h16q0 8-8 10-8-2-8-10z" fill="#7a3d1d" />
      <circle cx="-13" cy="-4" r="5" fill="#2c2018" />
      <circle cx="13" cy="-4" r="5" fill="#2c2018" />
    </svg>
  );
}
