// SPDX-License-Identifier: MIT
export function Sharing() {
  return null;
}
