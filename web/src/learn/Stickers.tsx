// SPDX-License-Identifier: MIT
//
// A book of stickers: one for each puzzle that was solved to the end. It is kept on the device, and nothing leaves it.
import { AnimalPicture, type AnimalKind } from "../art/animals";
import { formatNumber } from "../i18n";
import { stickers } from "./scoring";
import { learnTexts } from "./texts";

const kinds: readonly AnimalKind[] = ["chick", "giraffe", "elephant", "lion", "hen"];
const perPage = 15;

export function Stickers() {
  const texts = learnTexts();
  const count = stickers.value;
  const page = count === 0 ? 0 : Math.floor((count - 1) / perPage);
  const here = count - page * perPage;
  return (
    <section class="card" aria-labelledby="stickers-title">
      <h2 id="stickers-title">{texts.stickers}</h2>
      <p class="soft">{count === 0 ? texts.stickersNone : texts.stickersCount(formatNumber(count), formatNumber(page + 1))}</p>
      <ol class="stickers" aria-hidden="true">
        {Array.from({ length: perPage }, (_, number) => (
          <li key={number} class={number < here ? "got" : ""}>
            {number < here && <AnimalPicture kind={kinds[(number + page) % kinds.length] ?? "chick"} crowned={number === perPage - 1} />}
          </li>
        ))}
      </ol>
    </section>
  );
}
