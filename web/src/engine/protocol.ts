// SPDX-License-Identifier: MIT
//
// What the page and its worker tell each other.
import type { Answer, ApiRequest, ErrorParams, TableProgress } from "kanzen/parts";

export type ToWorker =
  | {
      readonly kind: "start";
      /** Where the page is; the module and the tables are found from there. */
      readonly base: string;
      /** Whether there are tables; if not, only the rules are asked about. */
      readonly tables: boolean;
    }
  | { readonly kind: "ask"; readonly number: number; readonly request: ApiRequest }
  /** Answers about the game of the table at this address come from it from now on. */
  | { readonly kind: "add"; readonly number: number; readonly address: string };

export type FromWorker =
  | { readonly kind: "answer"; readonly number: number; readonly answer: Answer }
  | { readonly kind: "failure";
      readonly number: number;
      readonly status: number;
      readonly message: string;
      readonly code: string;
      readonly params: ErrorParams;
    }
  | { readonly kind: "progress"; readonly progress: TableProgress };
