// SPDX-License-Identifier: MIT
//
// A file host as people use them. It serves one folder below /kanzen/, as project pages do.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

export interface HostOptions {
  /** Whether parts of files can be asked for. */
  readonly ranges?: boolean;
  /** What is not there: a 404, or the page itself, as hosts for "single page apps" do. */
  readonly missing?: "404" | "page";
  /** Files that never come. */
  readonly hold?: RegExp;
  /** Changes a script on its way. */
  readonly rewrite?: (script: string) => string;
}

export interface Sent {
  readonly file: string;
  readonly status: number;
  readonly bytes: number;
}

export interface StaticHost {
  /** Ends with a slash. */
  readonly url: string;
  readonly sent: readonly Sent[];
  close(): Promise<void>;
}

const folderName = "/kanzen/";
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
/** Stricter than any file host, and what `kanzen serve` sends: the page has to live with it. */
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; " +
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The file's name below the folder; null: not in it. */
function fileOf(address: string): string | null {
  const path = decodeURIComponent(new URL(address, "http://host").pathname);
  if (!path.startsWith(folderName)) return null;
  const file = normalize(path.slice(folderName.length) || "index.html");
  return file.startsWith("..") ? null : file;
}

function rangeOf(header: string | undefined, size: number): { first: number; last: number } | null {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined) return null;
  const first = Number(from);
  const last = to === "" || to === undefined ? size - 1 : Math.min(Number(to), size - 1);
  return first <= last ? { first, last } : null;
}

export async function startStaticHost(folder: string, options: HostOptions = {}): Promise<StaticHost> {
  const { ranges = true, missing = "404", hold, rewrite } = options;
  const sent: Sent[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = fileOf(request.url ?? "/");
    if (file !== null && hold?.test(file)) return;
    let path = join(folder, file ?? "");
    const found = file !== null && (await stat(path).then((entry) => entry.isFile(), () => false));
    if (!found && (missing === "404" || file === null)) {
      sent.push({ file: file ?? "", status: 404, bytes: 0 });
      response.writeHead(404, { "Content-Type": "text/plain" }).end("not found\n");
      return;
    }
    if (!found) path = join(folder, "index.html");
    const headers: Record<string, string | number> = {
      "Content-Type": types[extname(path)] ?? "application/octet-stream",
      "Content-Security-Policy": policy,
      "Cache-Control": "max-age=600",
    };
    if (rewrite && path.endsWith(".js")) {
      const script = rewrite(await readFile(path, "utf8"));
      sent.push({ file: file ?? "", status: 200, bytes: script.length });
      response.writeHead(200, headers).end(script);
      return;
    }
    const { size } = await stat(path);
    const range = ranges ? rangeOf(request.headers.range, size) : null;
    const part = range ?? { first: 0, last: size - 1 };
    const bytes = part.last - part.first + 1;
    headers["Content-Length"] = bytes;
    if (ranges) headers["Accept-Ranges"] = "bytes";
    if (range) headers["Content-Range"] = `bytes ${range.first}-${range.last}/${size}`;
    sent.push({ file: file ?? "", status: range ? 206 : 200, bytes });
    response.writeHead(range ? 206 : 200, headers);
    createReadStream(path, { start: part.first, end: part.last })
      .on("error", () => response.destroy())
      .pipe(response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${folderName}`,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
