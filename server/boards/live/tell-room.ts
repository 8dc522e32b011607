import type { SomebodyThere } from '#contract/boards/board-live.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

/** Sends an event to all tabs at this process of guests who can still see the board. */
export function tellRoom(
  { live }: Services,
  guests: readonly SomebodyThere[],
  readers: ReadonlySet<string>,
  event: LiveEvent,
): void {
  const there = new Set(guests.map(({ personId }) => personId))
  for (const personId of there) if (readers.has(personId)) live.tellHere(personId, event)
}
