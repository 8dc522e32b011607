import { completeSettings, modelSettings } from '#contract/agents/model-settings.ts'
import type { Repair } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import { addBuiltInAgents } from '#server/agents/built-in-agents.ts'
import { updateAgent } from '#server/agents/save-agent.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

const provider = 'openai'
const defaults = completeSettings(provider, undefined)

/** Every changed agent gets a version, so the previous state can be restored; its instructions stay. */
export async function fixKipProvider(services: Services, person: Person): Promise<Repair> {
  const { db } = services
  const present = () =>
    db
      .selectFrom('agents')
      .select(['id', 'slug', 'name', 'status', 'model_provider', 'model_settings'])
      .where('owner_id', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
  const known = new Set((await present()).map(({ id }) => id))
  await addBuiltInAgents(services)
  const rows = await present()
  const actions = rows
    .filter(({ id }) => !known.has(id))
    .map(({ name }) => `${name} was missing and has been restored.`)
  const errors: string[] = []
  const changed: string[] = rows.flatMap(({ id, slug }) => (known.has(id) ? [] : [slug]))
  for (const row of rows) {
    if (row.status === 'ready' && row.model_provider === provider && isDefault(row.model_settings)) continue
    try {
      const changes = { id: row.id, status: 'ready', model_provider: provider, model_settings: defaults } as const
      await updateAgent(services, person, changes, null)
      changed.push(row.slug)
      const before = row.status === 'ready' ? '' : `, status ${row.status}`
      actions.push(
        `${row.name}: ${row.model_provider} ${modelOf(row.model_settings)}${before} became ${provider} ${defaults.model}.`,
      )
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      errors.push(`${row.name} could not be changed: ${error.message}`)
    }
  }
  if (actions.length === 0 && errors.length === 0)
    actions.push(`Nothing to do: all ${rows.length} built-in agents have their provider and its defaults.`)
  const details = { agents: changed.join(', ') || 'none', errors: String(errors.length) }
  await db.batch([
    auditing(services, { action: 'built-in-agents-repaired', actor: person, subject: provider, details }),
  ])
  return { actions: actions.map((message) => ({ message })), errors: errors.map((error) => ({ error })) }
}

function isDefault(settings: unknown): boolean {
  const read = modelSettings.safeParse(settings)
  return read.success && JSON.stringify(read.data) === JSON.stringify(modelSettings.parse(defaults))
}

function modelOf(settings: unknown): string {
  const read = modelSettings.safeParse(settings)
  return read.success ? read.data.model : 'with unreadable settings'
}
