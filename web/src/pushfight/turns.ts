// SPDX-License-Identifier: MIT
//
// Building a turn step by step. The engine lists one turn for each position that a turn can lead to, however many ways
// there are to make it: two moves may be made in either order, a piece may go to its place in two moves, another piece of
// the same kind may take its place. People make a turn in any of these ways. So what counts is the position that the
// steps lead to: a push is offered if it leads to the result of a listed turn, and a move if such a push can follow.
// Nothing else can be built, and what is handed on is always a turn of the list.
import { afterMoves, pieceAt, pushIn, sideToMove, type Step } from "./arrangement";
import { TurnResults } from "./results";
import { neighbours, railed, type Shape } from "./shape";
import { waysFrom } from "./ways";

const mostMoves = 2;

export interface Offers {
  /** For each piece that can be moved, where to. */
  readonly moves: ReadonlyMap<number, readonly number[]>;
  /** For each piece that can push, the neighbours it can push. */
  readonly pushes: ReadonlyMap<number, readonly number[]>;
}

const nothing: Offers = { moves: new Map(), pushes: new Map() };

export class TurnIndex {
  private results: TurnResults | null = null;
  private readonly offered = new Map<string, Offers>();

  constructor(
    private readonly shape: Shape,
    private readonly position: string,
    private readonly legal: readonly string[],
  ) {}

  /** What can follow after these moves. */
  offers(moves: readonly Step[]): Offers {
    if (this.legal.length === 0) return nothing; // the turns are not known yet, or there are none
    const position = afterMoves(this.position, moves);
    const left = mostMoves - moves.length;
    const key = `${left}${position}`;
    let offers = this.offered.get(key);
    if (!offers) {
      offers = { moves: left > 0 ? this.movesIn(position, left) : new Map(), pushes: this.pushesIn(position) };
      this.offered.set(key, offers);
    }
    return offers;
  }

  /** The listed turn that leads where these moves and this push lead, or null. */
  turn(moves: readonly Step[], push: Step): string | null {
    return this.after(afterMoves(this.position, moves), push);
  }

  /** The listed turns that can still come of these moves. */
  following(moves: readonly Step[]): ReadonlySet<string> {
    const found = new Set<string>();
    const collect = (made: readonly Step[]): void => {
      const { moves: more, pushes } = this.offers(made);
      for (const [from, targets] of pushes) {
        for (const to of targets) {
          const turn = this.turn(made, { from, to });
          if (turn !== null) found.add(turn);
        }
      }
      for (const [from, targets] of more) for (const to of targets) collect([...made, { from, to }]);
    };
    collect(moves);
    return found;
  }

  private after(position: string, push: Step): string | null {
    // Made when somebody first asks.
    this.results ??= new TurnResults(this.shape, this.position, this.legal);
    const turn = this.results.turn(position, push);
    if (turn === null) return null;
    // A piece in a corner that could fall to one side can't be pushed over a railing on the other, though it would have
    // fallen all the same.
    const { line, fallen } = pushIn(this.shape, [...position], push);
    return fallen !== null && railed(this.shape, line.at(-2) ?? push.from, line.at(-1) ?? push.to) ? null : turn;
  }

  private own(position: string): readonly number[] {
    const side = sideToMove(this.position);
    return this.shape.squares.flatMap((_, square) => (pieceAt(position, square)?.side === side ? [square] : []));
  }

  private pushesOf(position: string, from: number): readonly number[] {
    if (pieceAt(position, from)?.kind !== "pusher") return [];
    return neighbours(this.shape, from).filter((to) => position[to] !== "." && this.after(position, { from, to }) !== null);
  }

  private pushesIn(position: string): Map<number, readonly number[]> {
    const found = new Map<number, readonly number[]>();
    for (const from of this.own(position)) {
      const to = this.pushesOf(position, from);
      if (to.length > 0) found.set(from, to);
    }
    return found;
  }

  private movesIn(position: string, left: number): Map<number, readonly number[]> {
    const found = new Map<number, readonly number[]>();
    for (const from of this.own(position)) {
      const to = [...waysFrom(this.shape, position, from).keys()].filter((target) =>
        this.canEnd(afterMoves(position, [{ from, to: target }]), left - 1),
      );
      if (to.length > 0) found.set(from, to);
    }
    return found;
  }

  /** Whether a turn can be ended with this many moves more, or fewer. */
  private canEnd(position: string, left: number): boolean {
    const own = this.own(position);
    if (own.some((from) => this.pushesOf(position, from).length > 0)) return true;
    if (left === 0) return false;
    return own.some((from) =>
      [...waysFrom(this.shape, position, from).keys()].some((to) => this.canEnd(afterMoves(position, [{ from, to }]), left - 1)),
    );
  }
}
