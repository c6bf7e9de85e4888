// SPDX-License-Identifier: MIT
import { language } from "../i18n";

export function AboutPage() {
  return <article class="card prose">{language.value === "ja" ? <Japanese /> : <English />}</article>;
}

function English() {
  return (
    <>
      <h2>What this is</h2>
      <p>
        Kanzen (完全, complete) solves board games exactly: for every position it knows who wins when both sides play
        perfectly, and how soon. This page lets you play, and look at what perfect play would be. Nothing is an
        estimate; where something is not known, the page says so.
      </p>
      <h2>Dobutsu Shogi</h2>
      <p>
        The animal chess of Madoka Kitao, designed by Maiko Fujita; the pictures here are our own. A piece steps one
        square towards one of its dots. What you take goes to your hand and can be dropped on any empty square. A chick
        that steps onto the far row becomes a hen. You win by taking the lion, or when your own lion gets to the far row
        and can&#8217;t be taken there.
      </p>
      <p>With perfect play the second player wins, after 78 moves in all.</p>
      <h2>Push Fight</h2>
      <p>
        Brett Picotte&#8217;s game of shoving. A turn is up to two moves of your pieces along free squares, then a push
        by a square piece, which gets the anchor and can&#8217;t be pushed back in the next turn. Who has a piece pushed
        off the board loses, and so does who can&#8217;t push. With the best placements it is a draw.
      </p>
      <h2>Values</h2>
      <ul>
        <li>
          <b>+ wins in n</b>: the side that moves wins, at the latest after n plies (single moves of either side; in
          Push Fight, turns of that side), whatever the other does.
        </li>
        <li>
          <b>= draws</b>: neither side can force an end.
        </li>
        <li>
          <b>− loses in n</b>: the other side can force a win, and n is how long the best defence lasts.
        </li>
      </ul>
      <p>
        The value is shown by the winner&#8217;s colour. In the history, ? is a move that gives away a step of the result, ?? one that turns a win into a loss, and · a
        right move that takes longer than needed.
      </p>
      <h2>Keyboard</h2>
      <p>
        Tab goes to the board; arrow keys move between squares and hands; Enter or Space chooses; Escape puts back. Z
        or ← takes a move back, Y or → plays it again (← and → while the focus is not on the board), Home and End go to the start and the
        end, F turns the board. In the list of moves ↑ and ↓ go to other moves that were tried; the wheel over the board goes through the
        game.
      </p>
      <h2>Accuracy</h2>
      <p>
        The report of a game says how much of what was at stake a side kept: 100 % means that it never gave a step of the
        result away. Moves where nothing could be lost don&#8217;t count.
      </p>
      <h2>Variants</h2>
      <p>
        <a href="#/variants">A variant of your own</a>: write its rules, see it, and have it solved here if it is small.
      </p>
      <h2>For developers</h2>
      <p>
        All that this page knows comes from an API: <a href="#/developers">examples to run</a>. Source, the format of the tables
        and the documentation come with the project <code>kanzen</code>; the tables of this site are listed in{" "}
        <a href="./tables/index.json">tables/index.json</a>.
      </p>
      <h2>Without a server</h2>
      <p>
        The rules and the look-up are C code that runs in your browser as WebAssembly. Once the table of a game is
        there, all of this works without a connection.
      </p>
    </>
  );
}

function Japanese() {
  return (
    <>
      <h2>このページについて</h2>
      <p>
        Kanzen(完全)は、ボードゲームを完全に解析します。どの局面についても、双方が最善を尽くしたときにどちらが何手で勝つかがわかります。
        ここでは対局しながら、その結果を見ることができます。推定値はひとつもありません。わからないものは「不明」と表示します。
      </p>
      <h2>どうぶつしょうぎ</h2>
      <p>
        北尾まどかさん考案、藤田麻衣子さんデザインのゲームです(このページの絵は独自のものです)。駒は点のある方向へ一マス進めます。取った駒は持ち駒になり、空いているマスに打てます。
        ひよこは一番奥へ進むとにわとりになります。相手のライオンを取るか、自分のライオンが一番奥に入って次に取られなければ勝ちです。
      </p>
      <p>双方が最善を尽くすと、78手で後手が勝ちます。</p>
      <h2>プッシュファイト</h2>
      <p>
        ブレット・ピコット考案の押し合いのゲームです。1ターンに自分の駒を二回まで空いたマスを通って動かし、そのあと四角い駒で一回押します。
        押した駒にはアンカーが載り、次のターンでは押し返されません。駒を盤の外に押し出された側、押せない側の負けです。
        最善の配置から始めると引き分けです。
      </p>
      <h2>評価</h2>
      <ul>
        <li>
          <b>+ n手で勝ち</b>
          :相手がどう指しても、遅くともn手で勝てます(どうぶつしょうぎでは双方の手数、プッシュファイトではその側のターン数)。
        </li>
        <li>
          <b>= 引き分け</b>:どちらも勝ちを強制できません。
        </li>
        <li>
          <b>− n手で負け</b>:相手に必勝の手順があり、最善に粘ってn手です。
        </li>
      </ul>
      <p>棋譜の「?」は結果を一段階悪くした手、「??」は勝ちを負けにした手、「·」は結果は同じでも遠回りの手です。</p>
      <h2>キーボード</h2>
      <p>
        Tabで盤へ、矢印キーでマスと持ち駒の間を移動、EnterかSpaceで選択、Escapeで取り消し。Zか←で一手戻し、Yか→で進め(盤以外にフォーカスがあるとき)、棋譜では↑↓で変化に移り、盤の上のホイールでも進めます。HomeとEndで最初と最後へ、Fで盤を回します。
      </p>
      <h2>正確さ</h2>
      <p>
        対局の「正確さ」は、失う可能性のあった結果のうち、どれだけを保ったかを示します。100%なら一度も結果を悪くしていません。何を指しても結果が変わらない局面は数えません。
      </p>
      <h2>変則ルール</h2>
      <p>
        <a href="#/variants">自分で作るルール</a>を書くと、その場で盤面を表示し、小さければここで解析できます。
      </p>
      <h2>開発者向け</h2>
      <p>
        このページの情報はすべてAPIから得ています:<a href="#/developers">実行できる例</a>。
        ソースコードとデータ形式の説明はkanzenプロジェクトに、このサイトの解析データの一覧は<a href="./tables/index.json">tables/index.json</a>にあります。
      </p>
      <h2>サーバーなしで</h2>
      <p>
        ルールと検索はC言語のコードをWebAssemblyにしたもので、ブラウザーの中で動きます。ゲームのデータを一度読み込めば、接続がなくてもすべて使えます。
      </p>
    </>
  );
}
