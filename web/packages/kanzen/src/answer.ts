// SPDX-License-Identifier: MIT
//
// An answer as it comes: a status as in HTTP, and JSON.
import { EngineError, type ErrorParams } from "./types.js";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The error of a bad answer: {"error": {"status", "code", "params", "message"}}. */
function errorOf(parsed: unknown, status: number): EngineError {
  const error = (parsed as { readonly error?: unknown } | null)?.error;
  const { message, code, params } = (typeof error === "object" && error !== null ? error : {}) as Readonly<Record<string, unknown>>;
  return new EngineError(
    status,
    typeof message === "string" ? message : `The engine answered with status ${status}.`,
    typeof code === "string" ? code : "answer_status",
    typeof params === "object" && params !== null ? (params as ErrorParams) : { status },
  );
}

/** The content of a good answer. A bad one throws an EngineError. */
export function contentOf<T>(answer: Answer): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer.body);
  } catch {
    throw new EngineError(answer.status, `The engine's answer (status ${answer.status}) is not JSON.`, "answer_status", {
      status: answer.status,
    });
  }
  if (answer.status !== 200) throw errorOf(parsed, answer.status);
  return parsed as T;
}
