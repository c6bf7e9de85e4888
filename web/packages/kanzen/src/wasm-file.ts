// SPDX-License-Identifier: MIT
//
// kanzen.wasm in whatever form it comes.

type Wasm = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

export async function compileFrom(
  wasm: Wasm,
  load: (address: string | URL) => Promise<ArrayBuffer | Uint8Array>,
): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  const bytes = typeof wasm === "string" || wasm instanceof URL ? await load(wasm) : wasm;
  // Not compileStreaming, which wants a type of content that not every file host knows.
  return WebAssembly.compile(bytes as BufferSource);
}
