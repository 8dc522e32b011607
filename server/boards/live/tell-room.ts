import type { LiveEvent } from '#contract/live/live-events.ts'
import type { Services } from '#server/services.ts'

/** Tells everybody who is on a board now and may still see it; each of their tabs hears it. */
export function tellRoom(
  { live, boardRooms, now }: Services,
  boardId: string,
  readers: ReadonlySet<string>,
  event: LiveEvent,
): void {
  const there = new Set(boardRooms.guests(boardId, now().getTime()).map(({ personId }) => personId))
  for (const personId of there) if (readers.has(personId)) live.tell(personId, event)
}
