// SPDX-License-Identifier: MIT
//
// What the tests are about, named in the environment.
import { resolve } from "node:path";

function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by tools/test-web KANZEN SITE`);
  return resolve(value);
}

/** The command. */
export const kanzenPath = () => needed("KANZEN");
/** The folder that `make site` has made. */
export const siteFolder = () => needed("SITE");
/** Where pictures go, or null. */
export const pictureFolder = () => (process.env["SCREENSHOTS"] ? resolve(process.env["SCREENSHOTS"]) : null);
/** Only the site's tables, whatever else is on this machine. */
export const kanzenEnvironment = () => ({
  ...process.env,
  KANZEN_TABLES: `${siteFolder()}/tables`,
  XDG_DATA_HOME: `${siteFolder()}/none`,
  XDG_DATA_DIRS: `${siteFolder()}/none`,
});
