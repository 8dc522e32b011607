import type {
  SharedJourneyPoint,
  SharedLogbookEntry,
  SharedMoment,
  SharedPath,
} from '#contract/domains/sharing-in-domains.ts'
import type { JourneyPoint, Path } from '#contract/keepers/journeys.ts'
import type { Services } from '#server/services.ts'
import { type LogbookRow, toLogbookEntry } from '../logbook/logbook-view.ts'
import { type MomentRow, toMoments } from '../moments/moment-view.ts'

/** Lists each field, so that new fields of a moment are not shared automatically. */
export async function toSharedMoments(services: Services, rows: MomentRow[]): Promise<SharedMoment[]> {
  return (await toMoments(services, rows)).map((moment) => ({
    id: moment.id,
    occurredAt: moment.occurredAt,
    localDate: moment.localDate,
    timezone: moment.timezone,
    title: moment.title,
    body: moment.body,
    mood: moment.mood,
    weather: moment.weather,
    place: moment.place && { name: moment.place.name },
    topics: moment.topics.map(({ name }) => ({ name })),
    media: moment.media.map(({ id, kind, mime, bytes, name, alt, width, height, durationMs }) => ({
      id,
      kind,
      mime,
      bytes,
      name,
      alt,
      width,
      height,
      durationMs,
    })),
  }))
}

export function toSharedLogbookEntry(row: LogbookRow): SharedLogbookEntry {
  const { id, entry, label, category, tags, occurredOn, pinned } = toLogbookEntry(row)
  return { id, entry, label, category, tags, occurredOn, pinned }
}

export function toSharedPath(path: Path, readable: ReadonlySet<string>): SharedPath {
  const { id, title, state, position, waypoints } = path
  return {
    id,
    title,
    state,
    position,
    waypoints: waypoints.map((waypoint) => ({
      ...waypoint,
      momentIds: waypoint.momentIds.filter((momentId) => readable.has(momentId)),
    })),
  }
}

export function toSharedTimelineItem({
  id,
  occurredAt,
  localDate,
  title,
  excerpt,
  waypointId,
}: JourneyPoint): SharedJourneyPoint {
  return { id, occurredAt, localDate, title, excerpt, waypointId }
}
