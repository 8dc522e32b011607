import type { TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Person } from '#server/accounts/person.ts'
import { createEntryNotFound } from '#server/catalog/catalog.ts'
import { json } from '#server/db/database.ts'
import { ForeignKeyViolation, UniqueViolation } from '#server/db/database-errors.ts'
import { idTaken, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { requireRunFor, toRunView } from './find-run.ts'
import { requireTemplateFor, templateKind } from './template-catalog.ts'

interface RunStart {
  keeperId: string
  id?: string | undefined
}

/** Idempotent; restores a discarded run. @throws Problem 404; 409 for an id in use; 422 for a page template */
export async function startTemplateRun(
  services: Services,
  person: Person,
  idOrSlug: string,
  { keeperId, id: clientId }: RunStart,
): Promise<TemplateRun> {
  const template = await requireTemplateFor(services, person, idOrSlug)
  const keeper = await requireKeeperFor(services, person, keeperId)
  if (template.kind === 'page')
    throw new Problem('unprocessable', { message: 'Every keeper has this page. Open it in the keeper.' })
  const id = clientId ?? services.newId()
  const now = services.now().getTime()
  try {
    await services.db
      .insertInto('template_runs')
      .values({
        id,
        keeper_id: keeper.id,
        owner_id: keeper.owner_id,
        created_at: now,
        updated_at: now,
        deleted_at: null,
        template_id: template.id,
        step: 0,
        answers: json([]),
        entries: json([]),
        wait_until: null,
        finished_at: null,
      })
      .execute()
  } catch (error) {
    if (error instanceof ForeignKeyViolation) throw createEntryNotFound(templateKind)
    if (!(error instanceof UniqueViolation) || clientId === undefined) throw error
    const { numUpdatedRows } = await services.db
      .updateTable('template_runs')
      .set({ deleted_at: null })
      .where('id', '=', id)
      .where('keeper_id', '=', keeper.id)
      .where('owner_id', '=', person.id)
      .where('template_id', '=', template.id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw idTaken()
  }
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'keeper')
  return toRunView(services, person, await requireRunFor(services, person, id))
}
