import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

type Changed = Extract<LiveEvent, { type: 'keeper-changed' }>['entity']

/** Notifies the owner's open tabs; without content. */
export function tellKeeperChanged(services: Services, ownerId: string, keeperId: string, entity: Changed): void {
  services.live.tell(ownerId, { type: 'keeper-changed', keeperId, entity })
}
