// SPDX-License-Identifier: MIT
//
// The game and the board for others: files, pictures, a QR code, and the system's own way to share.
import { render } from "preact";
import { useState } from "preact/hooks";
import { report } from "../state/actions";
import { openFile } from "../state/files";
import { flipped, index, path, position, record, tree, view } from "../state/store";
import { positionAt } from "../state/record";
import { encodePlay } from "../state/address";
import { addressToShare } from "../state/sharing";
import { movingSvgOf, pngOf, saveFile, svgOf } from "./pictures";
import { qrCode } from "./qr";
import { kifOf, listOf, usiOf } from "./records";
import { studyTexts } from "./texts";

const secondsEach = 1.2;
const pngScale = 2;

const comments = () => path.value.map((number) => tree.value.nodes[number]?.comment ?? "");
const text = (content: string, type = "text/plain") => new Blob([content], { type: `${type};charset=utf-8` });

/** Draws positions out of sight and hands the drawings on. */
function withDrawings<T>(positions: readonly string[], use: (drawings: readonly SVGSVGElement[]) => T): T | null {
  const game = view.value;
  if (!game) return null;
  const place = document.createElement("div");
  place.className = "out-of-sight";
  place.dataset["game"] = game.name;
  document.body.append(place);
  try {
    render(
      <>
        {positions.map((one, number) => (
          <game.Thumbnail key={number} rules={record.value.rules} position={one} flipped={flipped.value} />
        ))}
      </>,
      place,
    );
    return use([...place.querySelectorAll("svg")]);
  } finally {
    render(null, place);
    place.remove();
  }
}

export function Sharing() {
  const texts = studyTexts();
  const game = view.value;
  const [code, setCode] = useState<string | null>(null);
  if (!game) return null;
  const { plies } = record.value;
  const name = `kanzen-${record.value.game}`;
  const board = () => withDrawings([position.value], ([drawing]) => (drawing ? svgOf(drawing) : "")) ?? "";
  const savePng = async () => {
    const png = await pngOf(board(), pngScale);
    if (png) saveFile(`${name}.png`, png);
    else report(new Error("PNG"));
  };
  const saveMoving = () => {
    const all = [...Array(plies.length + 1).keys()].map((at) => positionAt(record.value, at));
    const moving = withDrawings(all, (drawings) => movingSvgOf(drawings, secondsEach));
    if (moving) saveFile(`${name}-line.svg`, text(moving, "image/svg+xml"));
  };
  const showCode = () => {
    // The whole game, or the position alone where that is too long.
    const short = encodePlay({ game: record.value.game, rules: record.value.rules, start: position.value, moves: [], at: null, flipped: flipped.value });
    const whole = addressToShare();
    setCode(qrCode(whole) ? whole : new URL(short, location.href).href);
  };
  const kif = kifOf(record.value, game, comments());
  return (
    <section class="card sharing" aria-labelledby="sharing-title">
      <h2 id="sharing-title">{texts.sharing}</h2>
      <div class="row wrap">
        {"share" in navigator && (
          <button type="button" onClick={() => void navigator.share({ title: document.title, url: addressToShare() }).catch(() => undefined)}>
            {texts.share}
          </button>
        )}
        <button type="button" onClick={() => saveFile(`${name}.svg`, text(board(), "image/svg+xml"))}>
          {texts.svg}
        </button>
        <button type="button" onClick={() => void savePng()}>
          {texts.png}
        </button>
        <button type="button" disabled={plies.length === 0} onClick={saveMoving}>
          {texts.loop}
        </button>
        {kif !== null && (
          <>
            <button type="button" onClick={() => saveFile(`${name}.kif`, text(kif))}>
              {texts.kif}
            </button>
            <button type="button" onClick={() => saveFile(`${name}.usi`, text(`${usiOf(record.value)}\n`))}>
              {texts.usi}
            </button>
          </>
        )}
        <button type="button" onClick={() => saveFile(`${name}.txt`, text(listOf(record.value, comments())))}>
          {texts.list}
        </button>
        <button type="button" aria-expanded={code !== null} onClick={() => (code === null ? showCode() : setCode(null))}>
          {texts.qr}
        </button>
      </div>
      {code !== null && <Code key={`${code} ${index.value}`} address={code} />}
      <label class="file">
        {texts.openFile}
        <input
          type="file"
          accept=".kif,.kifu,.csa,.usi,.txt,text/plain"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void openFile(file);
          }}
        />
      </label>
      <p class="hint">{texts.dropHere}</p>
    </section>
  );
}

function Code({ address }: { address: string }) {
  const code = qrCode(address);
  if (!code) return null;
  const size = code.length + 8;
  const squares = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={studyTexts().qr}>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares} fill="#000" />
    </svg>
  );
}
