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

const tabPaths: Readonly<Record<string, string>> = {
  play: "M5 5h14v14H5zM9.7 5v14M14.3 5v14M5 9.7h14M5 14.3h14",
  puzzles: "M12 3l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6L3.3 9.3l6.1-.7z",
  lesson: "M12 6c-2-1.6-4.6-2-8-2v14c3.4 0 6 .4 8 2 2-1.6 4.600-2 8-2V4c-3.400 0-6 .4-8 2zM12 6v14",
  gallery: "M4 5h16v14H4zM4 15l5-5 4 4 3-3 4 4",
  numbers: "M5 20V11M12 20V4M19 20v-6",
  about: "M12 11v6M12 7.500v.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
};

/** The picture of a page, for phones, where its name is small. */
export const TabIcon = ({ tab }: { tab: string }) => (
  <Icon>
    <path d={tabPaths[tab] ?? ""} />
  </Icon>
);
export const UndoIcon = () => (
  <Icon>
    <path d="M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3" />
  </Icon>
);
export const ShareIcon = () => (
  <Icon>
    <path d="M12 15V4M8 8l4-4 4 4M5 13v7h14v-7" />
  </Icon>
);
