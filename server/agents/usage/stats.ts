import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { agentStats } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { spentByCalls, timedRuns } from './usage-queries.ts'

/** Figures over the ended runs of one's own and of one's agents; of one agent if told. */
export async function statsFor(
  services: Services,
  person: Person,
  agentId: string | null,
): Promise<z.output<typeof agentStats>> {
  const known = sql`(person_id = ${person.id} or agent_owner_id = ${person.id})`
  const where = agentId ? sql`agent_id = ${agentId} and ${known}` : known
  const all = sql`'all'`
  const [[runs], [spent]] = await Promise.all([
    services.db.longRead(timedRuns(all, where)),
    services.db.longRead(spentByCalls(all, where)),
  ])
  return {
    runs: Number(runs?.runs ?? 0),
    errors: Number(runs?.errors ?? 0),
    mock_runs: Number(runs?.mock_runs ?? 0),
    p50_ms: runs?.p50_ms ?? null,
    p95_ms: runs?.p95_ms ?? null,
    input_tokens: spent?.input_tokens ?? 0,
    output_tokens: spent?.output_tokens ?? 0,
    cost_usd: (spent?.cost_micros ?? 0) / 1_000_000,
    last_run_at: runs ? new Date(runs.last).toISOString() : null,
  }
}
