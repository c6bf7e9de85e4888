// SPDX-License-Identifier: MIT
//
// Files and parts of files over HTTP. Not every host knows about parts: some send the whole file whatever is asked for.
import type { Range } from "./ranges.js";
import type { Fetch } from "./server.js";
import { EngineError } from "./types.js";

/** A file that a host can't send in parts is taken as a whole if it is no larger than this. */
const mostWhole = 256 * 2 ** 20;

async function request(fetcher: Fetch, address: string, options: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetcher(address, options);
  } catch {
    throw new EngineError(0, `${fileName(address)} can't be loaded: there is no connection.`, "offline");
  }
  if (!response.ok) {
    throw new EngineError(
      response.status >= 500 ? 503 : 404,
      `${fileName(address)} can't be loaded: the host answers with status ${response.status}.`,
      "host_status",
      { file: fileName(address), status: response.status },
    );
  }
  return response;
}

export function fileName(address: string): string {
  return address.replace(/[?#].*$/, "").replace(/^.*\//, "");
}

/** The body of a response that must be `size` bytes long. */
async function bodyOf(
  response: Response,
  address: string,
  size: number,
  progress?: (loaded: number) => void,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let loaded = 0;
  try {
    const reader = response.body?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      if (loaded + piece.value.length > size) {
        await reader?.cancel();
        loaded = Number.POSITIVE_INFINITY;
        break;
      }
      bytes.set(piece.value, loaded);
      loaded += piece.value.length;
      progress?.(loaded);
    }
  } catch {
    throw new EngineError(0, `${fileName(address)} can't be loaded: the connection broke.`, "offline");
  }
  if (loaded !== size) throw new EngineError(500, `${fileName(address)} is not as long as it should be.`, "wrong_length", { file: fileName(address) });
  return bytes;
}

/** A part of a body, or less if it ends before; what comes after it is not waited for. */
async function beginningOf(response: Response, address: string, offset: number, size: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  let bytes = new Uint8Array(0);
  const end = offset + size;
  try {
    while (bytes.length < end) {
      const piece = await reader?.read();
      if (!piece || piece.done) break;
      const longer = new Uint8Array(bytes.length + piece.value.length);
      longer.set(bytes);
      longer.set(piece.value, bytes.length);
      bytes = longer;
    }
    await reader?.cancel();
  } catch {
    throw new EngineError(0, `${fileName(address)} can't be loaded: the connection broke.`, "offline");
  }
  return bytes.slice(offset, end);
}

export async function fetchWhole(
  fetcher: Fetch,
  address: string,
  size: number,
  progress?: (loaded: number) => void,
): Promise<Uint8Array> {
  return bodyOf(await request(fetcher, address, {}), address, size, progress);
}

export interface Part {
  /** Whether this is the whole file. */
  readonly whole: boolean;
  readonly bytes: Uint8Array;
}

/** A part of a file of `fileSize` bytes; or all of it, if the host sends nothing less. Null: nobody knows how long it is, and only
 * the part is taken. */
export async function fetchPart(fetcher: Fetch, address: string, range: Range, fileSize: number | null): Promise<Part> {
  const response = await request(fetcher, address, {
    headers: { Range: `bytes=${range.offset}-${range.offset + range.size - 1}` },
  });
  // A part begins where it was asked to begin.
  if (fileSize === null) return { whole: false, bytes: await beginningOf(response, address, response.status === 206 ? 0 : range.offset, range.size) };
  if (response.status === 206) {
    return { whole: range.size === fileSize, bytes: await bodyOf(response, address, range.size) };
  }
  if (fileSize > mostWhole) {
    await response.body?.cancel();
    throw new EngineError(
      500,
      `${fileName(address)} is too large to be loaded as a whole, and this host can't send parts of files.`,
      "no_parts",
      { file: fileName(address) },
    );
  }
  return { whole: true, bytes: await bodyOf(response, address, fileSize) };
}
