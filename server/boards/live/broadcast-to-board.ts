import type { BoardParticipant } from '#contract/boards/board-live.ts'
import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

export function broadcastToBoard(
  { live }: Services,
  guests: readonly BoardParticipant[],
  readers: ReadonlySet<string>,
  event: LiveEvent,
): void {
  const personIds = new Set(guests.map(({ personId }) => personId))
  for (const personId of personIds) if (readers.has(personId)) live.publishLocally(personId, event)
}
