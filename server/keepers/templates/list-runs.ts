import { sql } from 'kysely'
import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { loadSteps, queryRuns, toRunViews } from './find-run.ts'

const pageSize = 200
const runOrder: PageOrder = [
  [sql<number>`case when template_runs.finished_at is null then 0 else 1 end`, 'asc'],
  [sql.ref('template_runs.updated_at'), 'desc'],
  [sql.ref('template_runs.id'), 'asc'],
]

/** Unfinished first, then newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listRuns(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<TemplateRun[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { rows, next_cursor } = await readPage(
    queryRuns(services, person).where('template_runs.keeper_id', '=', keeper.id),
    {
      order: runOrder,
      after: parseCursor(cursor, [0, 0, '']),
      getPosition: ({ finished_at, updated_at, id }) => [finished_at === null ? 0 : 1, updated_at, id],
      pageSize: pageSize,
      size: sql<number>`octet_length(cast(template_runs.answers as text))`,
    },
  )
  return new Reply(await toRunViews(services, person, await loadSteps(services, rows)), { extra: { next_cursor } })
}
