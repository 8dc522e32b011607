import type { BoardEntity } from '#contract/boards/frame-types.ts'

/** Used when the address names no entity. */
export const demoIds: Record<BoardEntity, string> = {
  agent: 'demo-agent',
  domain: 'demo-domain',
  journey: 'demo-journey',
  'keeper-type': 'demo-keeper-type',
  people: 'demo-people',
}
