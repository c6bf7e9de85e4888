// SPDX-License-Identifier: MIT
//
// The positions with the longest wins; choosing one puts it on the Play page's board.
import "./learn.css";
import { useState } from "preact/hooks";
import type { GameView } from "../games/view";
import { formatNumber, language } from "../i18n";
import { positionWords } from "../i18n/values";
import { openPosition } from "../state/actions";
import { Chooser, useSubject } from "./Chooser";
import { loadCollections, loadGallery, type Collection, type Gallery } from "./collections";
import { learnTexts, lengthWords } from "./texts";
import { useLoaded } from "./useLoaded";
import { useView } from "./useView";
import { Waiting } from "./Waiting";

const shownAtFirst = 24;

export function GalleryPage() {
  const texts = learnTexts();
  const collections = useLoaded("collections", loadCollections);
  const subjects = collections.state === "ready" ? collections.value : [];
  const chosen = useSubject(subjects);
  if (collections.state !== "ready") return <Waiting loaded={collections} />;
  if (!chosen) return <p class="card learn-none">{texts.none}</p>;
  return (
    <div class="learn">
      <header class="learn-head">
        <h2>{texts.gallery}</h2>
        <Chooser subjects={subjects} chosen={chosen} />
      </header>
      <GalleryOf key={`${chosen.game}/${chosen.rules}`} collection={chosen} />
    </div>
  );
}

function GalleryOf({ collection }: { collection: Collection }) {
  const gallery = useLoaded(collection.gallery, () => loadGallery(collection));
  const view = useView(collection.game);
  if (gallery.state !== "ready" || !view) return <Waiting loaded={gallery} />;
  return <GalleryList collection={collection} gallery={gallery.value} view={view} />;
}

interface ListProps {
  readonly collection: Collection;
  readonly gallery: Gallery;
  readonly view: GameView;
}

function GalleryList({ collection: { game, rules }, gallery: { unit, positions }, view }: ListProps) {
  const texts = learnTexts();
  const [all, setAll] = useState(false);
  const longest = positions[0]?.distance ?? 0;
  const count = positions.filter((entry) => entry.distance === longest).length;
  const length = lengthWords(longest, unit);
  return (
    <>
      <p>
        {/* If all that are listed are that long, there may be more of them. */}
        {count < positions.length ? texts.galleryIntro(formatNumber(count), length) : texts.galleryIntroMany(length)}
      </p>
      <ol class="gallery">
        {positions.slice(0, all ? positions.length : shownAtFirst).map(({ position, distance }, number) => {
          const mover = view.sideToMove(position);
          const words = positionWords(
            { value: "win", distance },
            view.sideName(mover, language.value),
            view.sideName(mover === 0 ? 1 : 0, language.value),
            unit,
            language.value,
          );
          return (
            <li key={position}>
              <button type="button" class="gallery-entry" onClick={() => void openPosition(game, rules, position)}>
                <view.Thumbnail rules={rules} position={position} flipped={false} />
                <span class="gallery-words">
                  <span class="soft">{number + 1}.</span> {words}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      {!all && positions.length > shownAtFirst && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          {texts.more}
        </button>
      )}
    </>
  );
}
