import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

type Changed = Extract<LiveEvent, { type: 'keeper-changed' }>['entity']

/** Tells the owner's open tabs that something in a keeper is other than it was; never what. */
export function tellKeeperChanged(services: Services, ownerId: string, keeperId: string, entity: Changed): void {
  services.live.tell(ownerId, { type: 'keeper-changed', keeperId, entity })
}
