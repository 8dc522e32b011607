import { completeSettings, modelSettings } from '#contract/agents/model-settings.ts'
import type { Repair } from '#contract/diagnostics/diagnostics.ts'
import type { Person } from '#server/accounts/person.ts'
import { addBuiltInAgents } from '#server/agents/built-in-agents.ts'
import { updateAgent } from '#server/agents/save-agent.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

const kipProvider = 'openai'
const defaultSettings = completeSettings(kipProvider, undefined)

export async function fixKipProvider(services: Services, person: Person): Promise<Repair> {
  const { db } = services
  const listBuiltInAgents = () =>
    db
      .selectFrom('agents')
      .select(['id', 'slug', 'name', 'status', 'model_provider', 'model_settings'])
      .where('owner_id', 'is', null)
      .orderBy('created_at', 'desc')
      .execute()
  const existingIds = new Set((await listBuiltInAgents()).map(({ id }) => id))
  await addBuiltInAgents(services)
  const rows = await listBuiltInAgents()
  const actions = rows
    .filter(({ id }) => !existingIds.has(id))
    .map(({ name }) => `${name} was missing and has been restored.`)
  const errors: string[] = []
  const changedSlugs: string[] = rows.flatMap(({ id, slug }) => (existingIds.has(id) ? [] : [slug]))
  for (const row of rows) {
    if (row.status === 'ready' && row.model_provider === kipProvider && isDefaultSettings(row.model_settings)) continue
    try {
      const changes = {
        id: row.id,
        status: 'ready',
        model_provider: kipProvider,
        model_settings: defaultSettings,
      } as const
      await updateAgent(services, person, changes, null)
      changedSlugs.push(row.slug)
      const previousStatus = row.status === 'ready' ? '' : `, status ${row.status},`
      actions.push(
        `${row.name}: changed from ${row.model_provider} ${formatModel(row.model_settings)}${previousStatus} to ${kipProvider} ${defaultSettings.model}.`,
      )
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      errors.push(`${row.name} could not be changed: ${error.message}`)
    }
  }
  if (actions.length === 0 && errors.length === 0)
    actions.push(`Nothing to do: all ${rows.length} built-in agents use the default provider and its default settings.`)
  const details = { agents: changedSlugs.join(', ') || 'none', errors: String(errors.length) }
  await db.batch([
    insertAudit(services, { action: 'built-in-agents-repaired', actor: person, subject: kipProvider, details }),
  ])
  return { actions: actions.map((message) => ({ message })), errors: errors.map((error) => ({ error })) }
}

function isDefaultSettings(settings: unknown): boolean {
  const parsed = modelSettings.safeParse(settings)
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(modelSettings.parse(defaultSettings))
}

function formatModel(settings: unknown): string {
  const parsed = modelSettings.safeParse(settings)
  return parsed.success ? parsed.data.model : 'with unreadable settings'
}
