import { createHash } from 'node:crypto'
import type { Journey, Path } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { noNotices, noticeJourneyCompleted } from '../echoes/notice.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { livedZone } from '../lived-zone.ts'
import { createReflection } from '../reflections/save-reflection.ts'
import { closingReflection } from './closing-reflection.ts'
import { journeyFields, journeyView, pathViews } from './journey-view.ts'
import { type JourneyRow, pathsOfJourney } from './require-path.ts'

/** Idempotent; `reflect` creates one closing reflection per completion. @throws Problem 404, `stale` */
export async function completeJourney(
  services: Services,
  person: Person,
  id: string,
  reflect: boolean,
  ifMatch: number | null,
): Promise<{ journey: Journey; reflectionId: string | null }> {
  let notices = noNotices
  const row = await saveEntry(services, person, {
    entity: 'journey',
    id,
    ifMatch,
    changes(found) {
      return found.status !== 'completed'
        ? { status: 'completed' as const, completed_at: services.now().getTime() }
        : {}
    },
    async along(found) {
      notices = found.status === 'completed' ? noNotices : await noticeJourneyCompleted(services, found)
      return notices.writes
    },
    view: journeyFields,
  })
  notices.tell()
  const reflectionId = reflect ? await reflectOn(services, person, row) : null
  return { journey: await journeyView(services, row), reflectionId }
}

/** The id derives from the completion, so a retry creates no second one, nor one that was deleted. */
async function reflectOn(services: Services, person: Person, row: JourneyRow): Promise<string | null> {
  const id = createHash('sha256').update(`${row.id} completed ${row.completed_at}`).digest('hex').slice(0, 32)
  const paths: Path[] = await pathViews(services, await pathsOfJourney(services, row.id))
  const content = closingReflection(journeyFields(row), paths, await livedZone(services, row.owner_id))
  await createReflection(services, person, row.keeper_id, { id, content, aiVisible: row.ai_visible })
  return (await findEntryFor(services, person, 'reflection', id)) ? id : null
}
