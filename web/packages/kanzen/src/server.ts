// SPDX-License-Identifier: MIT
//
// The engine over HTTP: `kanzen serve`. What is legal is asked nearer by if possible, so that the board reacts at once.
import { contentOf } from "./answer.js";
import { RequestEngine } from "./engine.js";
import { type ApiRequest, type Engine, EngineError, type LegalAnswer } from "./types.js";

export type Fetch = (address: string, options?: RequestInit) => Promise<Response>;

/** A search may take its time; nothing takes longer than that. */
const patienceMs = 60_000;

export class ServerEngine extends RequestEngine {
  readonly kind = "server";

  /**
   * @param base the address that requests are below
   * @param rules an engine that knows the rules and needs no network
   */
  constructor(
    private readonly base: string,
    private readonly rules: Pick<Engine, "legal"> | null = null,
    private readonly fetcher: Fetch = (address, options) => fetch(address, options),
  ) {
    super();
  }

  async ask<T>(request: ApiRequest): Promise<T> {
    let response: Response;
    let body: string;
    try {
      response = await this.send(request);
      body = await response.text();
    } catch (error) {
      const late = error instanceof DOMException && error.name === "TimeoutError";
      throw late
        ? new EngineError(0, "The server takes too long to answer.", "late")
        : new EngineError(0, "The server can't be reached.", "offline");
    }
    return contentOf<T>({ status: response.status, body });
  }

  private send(request: ApiRequest): Promise<Response> {
    const address = new URL(`.${request.path}`, this.base);
    const signal = AbortSignal.timeout(patienceMs);
    if (!request.positions && request.body === undefined) {
      address.search = request.query;
      return this.fetcher(address.href, { signal });
    }
    const rules = new URLSearchParams(request.query).get("rules") ?? undefined;
    return this.fetcher(address.href, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: request.body ?? JSON.stringify({ positions: request.positions, rules }),
      signal,
    });
  }

  override async legal(game: string, rules: string, position?: string): Promise<LegalAnswer> {
    if (this.rules) {
      try {
        return await this.rules.legal(game, rules, position);
      } catch (error) {
        // A bad position is bad everywhere; anything else may be a browser without WebAssembly.
        // Nor does it know games that were loaded by the server.
        const passes = error instanceof EngineError && (error.status < 400 || error.status >= 500 || error.code === "unknown_game");
        if (error instanceof EngineError && !passes) throw error;
      }
    }
    return super.legal(game, rules, position);
  }
}
