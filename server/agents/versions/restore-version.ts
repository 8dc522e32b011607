import type { Agent } from '#contract/agents/agents.ts'
import { agentChanges } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { canSetVisibility, requireEditableAgent } from '../agent-access.ts'
import { type AgentChangeFields, updateAgent } from '../save-agent.ts'
import { isSlugTaken } from '../slugs.ts'
import { showVersion } from './show-version.ts'

/** Fields that can't be restored stay, with a note. @throws Problem `bad-input` naming fields that can't be saved today */
export async function restoreVersion(
  services: Services,
  person: Person,
  params: { agentId: string; version: number },
): Promise<{ agent: Agent; notes: string[] }> {
  const current = await requireEditableAgent(services, person, params.agentId)
  const { snapshot } = await showVersion(services, person, params)
  const notes: string[] = []
  const changes: Record<string, unknown> = { ...snapshot, id: current.id }
  delete changes.status
  if (snapshot.slug !== current.slug && (await isSlugTaken(services, snapshot.slug, current.owner_id))) {
    delete changes.slug
    notes.push(`The slug "${snapshot.slug}" is now taken, so the slug stays "${current.slug}".`)
  }
  if (!canSetVisibility(current, person)) {
    if (snapshot.visibility !== current.visibility)
      notes.push(`The agent stays ${current.visibility}: only its owner can change who sees it.`)
    for (const field of ['visibility', 'visitors_spend_owner_key', 'visitor_daily_usd']) delete changes[field]
  }
  return { agent: await updateAgent(services, person, parseChanges(changes), null, params.version), notes }
}

function parseChanges(fields: Record<string, unknown>): AgentChangeFields {
  const parsed = agentChanges.safeParse(fields)
  if (parsed.success) return parsed.data
  const fieldErrors = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message] as const)
  throw new Problem('bad-input', {
    message: `This version can’t be restored as it was. ${fieldErrors.map(([field, text]) => `${field}: ${text}`).join(' ')}`,
    fields: Object.fromEntries(fieldErrors),
  })
}
