// SPDX-License-Identifier: MIT
//
// From typed calls to requests; how these are answered is left to the two kinds of engines.
import type {
  ApiRequest,
  BatchAnswer,
  FoundEngine,
  GameInfo,
  LegalAnswer,
  LineAnswer,
  PlayAnswer,
  PositionAnswer,
  TableAnswer,
} from "./types.js";

type Fields = Readonly<Record<string, string | number | undefined>>;

export function makeRequest(path: string, fields: Fields = {}): ApiRequest {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return { path: `/api/v1/${path}`, query: query.toString() };
}

export abstract class RequestEngine implements FoundEngine {
  abstract readonly kind: "server" | "local";
  abstract ask<T>(request: ApiRequest): Promise<T>;

  private about<T>(game: string, what: string, fields: Fields): Promise<T> {
    return this.ask<T>(makeRequest(`${encodeURIComponent(game)}/${what}`, fields));
  }

  async games(): Promise<readonly GameInfo[]> {
    return (await this.ask<{ readonly games: readonly GameInfo[] }>(makeRequest("games"))).games;
  }

  position(game: string, rules: string, position?: string, moves?: number): Promise<PositionAnswer> {
    return this.about(game, "position", { pos: position, rules, moves });
  }

  legal(game: string, rules: string, position?: string): Promise<LegalAnswer> {
    return this.about(game, "legal", { pos: position, rules });
  }

  line(game: string, rules: string, position?: string, limit?: number): Promise<LineAnswer> {
    return this.about(game, "line", { pos: position, rules, limit });
  }

  play(
    game: string,
    rules: string,
    position: string,
    player: { readonly level: string; readonly aggressive: boolean; readonly seed?: number },
    played: readonly string[] = [],
  ): Promise<PlayAnswer> {
    const { level, aggressive, seed } = player;
    const moves = played.length > 0 ? played.join(" ") : undefined;
    return this.about(game, "play", { pos: position, rules, level, aggressive: aggressive ? 1 : 0, seed, played: moves });
  }

  table(game: string, rules: string): Promise<TableAnswer> {
    return this.about(game, "table", { rules });
  }

  async positions(game: string, rules: string, positions: readonly string[]): Promise<readonly BatchAnswer[]> {
    const request = makeRequest(`${encodeURIComponent(game)}/positions`, { rules });
    return (await this.ask<{ readonly answers: readonly BatchAnswer[] }>({ ...request, positions })).answers;
  }
}
