// SPDX-License-Identifier: MIT
//
// Small pictures for buttons; the buttons have the words.
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}

export const MoonIcon = () => (
  <Icon>
    <path d="M19 14.5A8 8 0 0 1 9.5 5a8 8 0 1 0 9.5 9.5z" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4" />
  </Icon>
);
export const FirstIcon = () => (
  <Icon>
    <path d="M18 6l-7 6 7 6M7 6v12" />
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="M15 6l-7 6 7 6" />
  </Icon>
);
export const ForwardIcon = () => (
  <Icon>
    <path d="M9 6l7 6-7 6" />
  </Icon>
);
export const LastIcon = () => (
  <Icon>
    <path d="M6 6l7 6-7 6M17 6v12" />
  </Icon>
);
export const FlipIcon = () => (
  <Icon>
    <path d="M8 20V5M4.5 8.5L8 5l3.5 3.5M16 4v15M12.5 15.5L16 19l3.5-3.5" />
  </Icon>
);
export const EyeIcon = () => (
  <Icon>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="3" />
  </Icon>
);
export const PencilIcon = () => (
  <Icon>
    <path d="M4 20l1-4L16.5 4.5l3 3L8 19z" />
  </Icon>
);
export const PlusIcon = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon>
    <path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" />
  </Icon>
);
