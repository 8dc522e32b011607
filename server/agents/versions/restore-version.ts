import type { Agent } from '#contract/agents/agents.ts'
import { agentChanges } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { mayDecideWhoSees, requireEditableFor } from '../agent-access.ts'
import { type AgentChangeFields, updateAgent } from '../save-agent.ts'
import { isSlugTaken } from '../slugs.ts'
import { showVersion } from './show-version.ts'

/**
 * Saves an earlier version as a new one. Fields that can't be restored keep their current value, with a note.
 * @throws Problem `bad-input` naming the fields that could not be saved today, such as a removed tool
 */
export async function restoreVersion(
  services: Services,
  person: Person,
  given: { agentId: string; version: number },
): Promise<{ agent: Agent; notes: string[] }> {
  const present = await requireEditableFor(services, person, given.agentId)
  const { snapshot } = await showVersion(services, person, given)
  const notes: string[] = []
  const changes: Record<string, unknown> = { ...snapshot, id: present.id }
  // Status reflects the agent's current state.
  delete changes.status
  if (snapshot.slug !== present.slug && (await isSlugTaken(services, snapshot.slug, present.owner_id))) {
    delete changes.slug
    notes.push(`The slug "${snapshot.slug}" is now taken, so it stays "${present.slug}".`)
  }
  if (!mayDecideWhoSees(present, person)) {
    if (snapshot.visibility !== present.visibility)
      notes.push(`It stays ${present.visibility}: only its owner decides who sees it.`)
    for (const field of ['visibility', 'visitors_spend_owner_key', 'visitor_daily_usd']) delete changes[field]
  }
  return { agent: await updateAgent(services, person, asChanges(changes), null, given.version), notes }
}

function asChanges(fields: Record<string, unknown>): AgentChangeFields {
  const parsed = agentChanges.safeParse(fields)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message] as const)
  throw new Problem('bad-input', {
    message: `This version can't be saved as it was. ${wrong.map(([field, text]) => `${field}: ${text}`).join(' ')}`,
    fields: Object.fromEntries(wrong),
  })
}
