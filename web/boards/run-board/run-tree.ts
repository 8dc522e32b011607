import type { Point, Size } from '../document/board-document.ts'
import type { RunAgent } from './run-agents.ts'

/** Multiples of the canvas grid, because the run can be saved as a board. */
export const runFrameSize: Size = { width: 320, height: 260 }
const gap = { beside: 40, between: 100 }
/** With more leaves than this, frames side by side are too small to read; the tree then grows to the right. */
const mostBeside = 5

export const growsRight = (agents: readonly RunAgent[]) =>
  agents.filter(({ asks }) => asks.length === 0).length > mostBeside

export function placesOf(agents: readonly RunAgent[]): Map<string, Point> {
  const places = new Map<string, Point>()
  const [root] = agents
  if (!root) return places
  const isWide = growsRight(agents)
  const across = (isWide ? runFrameSize.height : runFrameSize.width) + gap.beside
  const along = (isWide ? runFrameSize.width : runFrameSize.height) + gap.between
  let leaves = 0
  /** Returns the offset across the tree, a multiple of the canvas grid. */
  const put = (agent: RunAgent): number => {
    const below = agent.asks.map(put)
    const [first, last] = [below.at(0), below.at(-1)]
    const place = first === undefined || last === undefined ? leaves++ * across : Math.round((first + last) / 40) * 20
    const depth = agent.depth * along
    places.set(agent.id, isWide ? { x: depth, y: place } : { x: place, y: depth })
    return place
  }
  put(root)
  return places
}
