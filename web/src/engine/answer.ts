// SPDX-License-Identifier: MIT
//
// An answer as it comes: a status as in HTTP, and JSON.
import { EngineError } from "./types";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

function messageOf(parsed: unknown): string | undefined {
  if (typeof parsed !== "object" || parsed === null || !("error" in parsed)) return undefined;
  const error: unknown = parsed.error;
  if (typeof error !== "object" || error === null || !("message" in error)) return undefined;
  return typeof error.message === "string" ? error.message : undefined;
}

/** The content of a good answer. A bad one throws an EngineError with the engine's own sentence. */
export function contentOf<T>(answer: Answer): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer.body);
  } catch {
    throw new EngineError(answer.status, `The engine's answer (status ${answer.status}) is not JSON.`);
  }
  if (answer.status !== 200) {
    throw new EngineError(answer.status, messageOf(parsed) ?? `The engine answered with status ${answer.status}.`);
  }
  return parsed as T;
}
