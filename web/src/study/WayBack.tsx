// SPDX-License-Identifier: MIT
export function WayBack() {
  return null;
}
