import type { BoardEntity } from '#contract/boards/frame-types.ts'

/** The entity that the board of each kind is of when the address names none (seed 002 §2.2). */
export const demoIds: Record<BoardEntity, string> = {
  agent: 'demo-agent',
  domain: 'demo-domain',
  journey: 'demo-journey',
  'keeper-type': 'demo-keeper-type',
  people: 'demo-people',
}
