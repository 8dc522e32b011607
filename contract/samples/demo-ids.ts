import type { BoardEntity } from '../boards/frame-types.ts'

/** Used when the address names no entity. */
export const demoIds: Record<BoardEntity, string> = {
  agent: 'demo-agent',
  domain: 'demo-domain',
  journey: 'demo-journey',
  'keeper-type': 'demo-keeper-type',
  people: 'demo-people',
}

/** Keepers that the browser serves itself: identical for everyone, read-only, and available offline. */
export const demoKeeperIds = ['demo', 'demo-sole-keeper'] as const

export const isDemoKeeper = (id: string) => demoKeeperIds.some((demoId) => demoId === id)

/** Whether it is the ID of a demo keeper or of an entry in one. */
export const isDemoId = (id: unknown) =>
  typeof id === 'string' &&
  (isDemoKeeper(id) ||
    /^demo(-sole-keeper)?-(moment|journey|path|waypoint|reflection|card|voice|echo|logbook|topic)-/.test(id))

export const demoJourneyId = 'demo-journey-crossing'
