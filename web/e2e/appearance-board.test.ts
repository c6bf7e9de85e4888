// SPDX-License-Identifier: MIT
//
// The page with the board, in all that it shows (looks.ts).
import { expect } from "vitest";
import { looksRight, shows } from "./looks";

const game = "2c2b.1a2b.1d1c.2a3b.C*2c";

looksRight([
  { name: "play-dobutsu", at: `/play/dobutsu/official?moves=${game}`, ready: (player) => player.seesWords(/wins in/) },
  {
    name: "play-pushfight",
    at: "/play/pushfight/mini?moves=c3-b3,c1-b1,c2-d2",
    ready: (player) => player.seesWords(/wins in|Draw/),
  },
  {
    name: "edit-dobutsu",
    at: "/play/dobutsu",
    ready: async (player) => {
      await player.seesWords(/wins in/);
      await player.control("Edit the position").click();
      await shows("The position is legal.")(player);
      await player.button("Clear the board").click();
      await shows("This can't be played:")(player);
    },
  },
  {
    name: "edit-pushfight",
    at: "/play/pushfight/standard",
    ready: async (player) => {
      await expect.poll(() => player.label("d3")).toMatch(/^d3, Red pusher/);
      await player.control("Edit the position").click();
      await shows("The position is legal.")(player);
    },
  },
  {
    name: "explore",
    at: "/play/pushfight/mini?moves=c3-b3,c1-b1,c2-d2",
    ready: async (player) => {
      await player.seesWords(/wins in|Draw/);
      await player.showPanel("Explore");
      await player.section("The way back").waitFor();
    },
  },
  {
    name: "share",
    at: `/play/dobutsu/official?moves=${game}`,
    ready: async (player) => {
      await player.seesWords(/wins in/);
      await player.showPanel("Share");
      await player.button("QR code of the link").click();
      await player.page.getByRole("img", { name: "QR code of the link" }).waitFor();
    },
  },
  {
    name: "new-game",
    at: "/play/dobutsu",
    ready: async (player) => {
      await player.seesWords(/wins in/);
      await player.control("New game").click();
      await player.page.getByRole("dialog").waitFor();
    },
  },
]);
