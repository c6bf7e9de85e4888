// SPDX-License-Identifier: MIT
import type { Loaded } from "./useLoaded";
import { learnTexts } from "./texts";

/** What is shown instead of something that is not there yet, or could not be loaded. */
export function Waiting({ loaded }: { loaded: Loaded<unknown> }) {
  const texts = learnTexts();
  if (loaded.state !== "failed") return <p class="loading">{texts.loading}</p>;
  return (
    <div class="problem" role="alert">
      <p>{texts.failed}</p>
      <button type="button" onClick={loaded.again}>
        {texts.again}
      </button>
    </div>
  );
}
