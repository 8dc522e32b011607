import type { Point, Size } from '../document/board-document.ts'
import type { RunAgent } from './run-agents.ts'

/** Multiples of the grid spacing, so that it can be kept as a board. */
export const runFrameSize: Size = { width: 320, height: 260 }
const gap = { beside: 40, between: 100 }
/** More side by side would be too small to read; they then stand below each other, and the tree grows to the right. */
const mostBeside = 5

/** Many leaves: the tree grows to the right instead of down. */
export const growsRight = (agents: readonly RunAgent[]) =>
  agents.filter(({ asks }) => asks.length === 0).length > mostBeside

/** Where each agent stands: below the one that asked it, or to the right of it where there are many. */
export function placesOf(agents: readonly RunAgent[]): Map<string, Point> {
  const places = new Map<string, Point>()
  const [root] = agents
  if (!root) return places
  const isWide = growsRight(agents)
  const across = (isWide ? runFrameSize.height : runFrameSize.width) + gap.beside
  const along = (isWide ? runFrameSize.width : runFrameSize.height) + gap.between
  let leaves = 0
  /** Answers its place across, in whole steps of the grid. */
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
