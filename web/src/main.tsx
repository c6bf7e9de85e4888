// SPDX-License-Identifier: MIT
import { render } from "preact";
import { App } from "./app/App";
import { start } from "./app/start";
import "./styles/theme.css";
import "./styles/page.css";
import "./styles/board.css";

const root = document.getElementById("app");
if (root) {
  start();
  render(<App />, root);
}
