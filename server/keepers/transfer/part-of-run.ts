import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { visibleTemplates } from '../templates/visible-templates.ts'
import type { ImportPart } from './import-plan.ts'
import { importedId } from './imported-id.ts'

type RunPart = Extract<ImportPart, { kind: 'run' }>

/** An unfinished template, to be gone on with; nothing where the template is not here. */
export async function runWrites(services: Services, { into, position, run }: RunPart): Promise<Write[]> {
  const template = await visibleTemplates(services, { id: into.owner_id })
    .where('engagement_templates.slug', '=', run.template)
    .where('engagement_templates.kind', '!=', 'page')
    .executeTakeFirst()
  if (!template) return []
  return [
    services.db
      .insertInto('template_runs')
      .values({
        id: importedId(into.id, 'run', String(position)),
        keeper_id: into.id,
        owner_id: into.owner_id,
        created_at: Date.parse(run.createdAt),
        updated_at: Date.parse(run.updatedAt),
        deleted_at: null,
        template_id: template.id,
        step: run.step,
        answers: json(run.answers),
        entries: json([]),
        wait_until: run.waitUntil === null ? null : Date.parse(run.waitUntil),
        finished_at: null,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}
