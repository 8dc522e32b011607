import { gridSpacing } from '#contract/boards/boards.ts'
import type { Point, Size } from '../../document/board-document.ts'
import type { RunAgent } from './run-agents.ts'

/** Multiples of the canvas grid, because the run can be saved as a board. */
export const runFrameSize: Size = { width: 320, height: 260 }
const frameGaps = { siblings: 40, levels: 100 }
/** With more leaves than this, frames side by side are too small to read; the tree then grows to the right. */
const maxLeavesSideBySide = 5

export const shouldGrowRight = (agents: readonly RunAgent[]) =>
  agents.filter(({ calls }) => calls.length === 0).length > maxLeavesSideBySide

export function layOutRunAgents(agents: readonly RunAgent[]): Map<string, Point> {
  const positions = new Map<string, Point>()
  const [root] = agents
  if (!root) return positions
  const isWide = shouldGrowRight(agents)
  const leafStep = (isWide ? runFrameSize.height : runFrameSize.width) + frameGaps.siblings
  const depthStep = (isWide ? runFrameSize.width : runFrameSize.height) + frameGaps.levels
  let leafCount = 0
  /** Returns the offset across the tree, a multiple of the canvas grid. */
  const placeAgent = (agent: RunAgent): number => {
    const childOffsets = agent.calls.map(placeAgent)
    const [first, last] = [childOffsets.at(0), childOffsets.at(-1)]
    let offset: number
    if (first === undefined || last === undefined) {
      offset = leafCount * leafStep
      leafCount++
    } else offset = Math.round((first + last) / 2 / gridSpacing) * gridSpacing
    const depthOffset = agent.depth * depthStep
    positions.set(agent.id, isWide ? { x: depthOffset, y: offset } : { x: offset, y: depthOffset })
    return offset
  }
  placeAgent(root)
  return positions
}
