import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

type ChangedEntity = Extract<LiveEvent, { type: 'keeper-changed' }>['entity']

export function publishKeeperChanged(
  services: Services,
  ownerId: string,
  keeperId: string,
  entity: ChangedEntity,
): void {
  services.live.publish(ownerId, { type: 'keeper-changed', keeperId, entity })
}
