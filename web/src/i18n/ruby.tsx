// SPDX-License-Identifier: MIT
//
// For children: readings over the characters. Every Japanese text of the page gets them when the mode is on, wherever it is
// drawn; texts in attributes stay as they are.
import { Fragment, options, type ComponentChildren, type VNode } from "preact";
import { kids } from "../state/store";
import { language } from "./index";

/** Words with their readings; the longer ones first where one begins with another. */
const readings: Readonly<Record<string, string>> = {
  次の一手: "つぎのいって",
  最善手順: "さいぜんてじゅん",
  最長手順: "さいちょうてじゅん",
  手順: "てじゅん",
  統計: "とうけい",
  案内: "あんない",
  見落とす: "みおとす",
  間違え: "まちがえ",
  絶対: "ぜったい",
  最善手: "さいぜんて",
  最善: "さいぜん",
  開始局面: "かいしきょくめん",
  同一局面: "どういつきょくめん",
  全局面: "ぜんきょくめん",
  一手前: "いってまえ",
  一手: "いって",
  引き分け: "ひきわけ",
  千日手: "せんにちて",
  完全解析: "かんぜんかいせき",
  解析中: "かいせきちゅう",
  解析: "かいせき",
  考慮中: "こうりょちゅう",
  新規対局: "しんきたいきょく",
  対局者: "たいきょくしゃ",
  対局開始: "たいきょくかいし",
  対局: "たいきょく",
  局面: "きょくめん",
  棋譜: "きふ",
  候補手: "こうほしゅ",
  検討: "けんとう",
  形勢: "けいせい",
  先手: "せんて",
  後手: "ごて",
  勝ち: "かち",
  勝つ: "かつ",
  勝て: "かて",
  負け: "まけ",
  相手: "あいて",
  自分: "じぶん",
  持ち駒: "もちごま",
  駒: "こま",
  盤: "ばん",
  取る: "とる",
  取れ: "とれ",
  取られ: "とられ",
  取った: "とった",
  打つ: "うつ",
  打て: "うて",
  打: "うつ",
  動かし: "うごかし",
  動け: "うごけ",
  動き: "うごき",
  進め: "すすめ",
  進む: "すすむ",
  戻る: "もどる",
  最初: "さいしょ",
  最後: "さいご",
  反転: "はんてん",
  編集: "へんしゅう",
  共有: "きょうゆう",
  定跡: "じょうせき",
  終局: "しゅうきょく",
  悪手: "あくしゅ",
  大悪手: "だいあくしゅ",
  緩手: "かんしゅ",
  敗着: "はいちゃく",
  正確さ: "せいかくさ",
  指し手: "さして",
  指して: "さして",
  指し: "さし",
  指す: "さす",
  問題: "もんだい",
  答え: "こたえ",
  正解: "せいかい",
  一番奥: "いちばんおく",
  前: "まえ",
  横: "よこ",
  斜め: "ななめ",
  空い: "あい",
  空き: "あき",
  強さ: "つよさ",
  手番: "てばん",
  手: "て",
  番: "ばん",
};

const pattern = new RegExp(
  Object.keys(readings)
    .sort((a, b) => b.length - a.length)
    .join("|"),
  "g",
);

/** The text with readings; the same text if no word of it has one. */
export function withReadings(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let done = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > done) parts.push(text.slice(done, found.index));
    parts.push(
      <ruby key={found.index}>
        {found[0]}
        <rt>{readings[found[0]]}</rt>
      </ruby>,
    );
    done = found.index + found[0].length;
  }
  if (parts.length === 0) return text;
  if (done < text.length) parts.push(text.slice(done));
  return parts;
}

/** Elements whose text can't hold others, or is no text of the page. */
const plain = new Set(["option", "textarea", "title", "text", "style", "code", "ruby", "rt", "svg"]);

export function startReadings(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode) => {
    if (kids.value && language.value === "ja" && (vnode.type === Fragment || (typeof vnode.type === "string" && !plain.has(vnode.type)))) {
      const props = vnode.props as { children?: ComponentChildren };
      const { children } = props;
      if (typeof children === "string") props.children = withReadings(children);
      else if (Array.isArray(children)) {
        props.children = children.map((child: ComponentChildren) => (typeof child === "string" ? withReadings(child) : child));
      }
    }
    before?.(vnode);
  };
}
