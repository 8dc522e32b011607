import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { agentStats } from '#contract/agents/agents.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { sortedDurations } from './run-durations.ts'
import { figuresOf } from './usage-figures.ts'
import { countedRuns, spentByCalls } from './usage-queries.ts'

export async function statsFor(
  services: Services,
  person: Person,
  agentId: string | null,
): Promise<z.output<typeof agentStats>> {
  const known = sql`(person_id = ${person.id} or agent_owner_id = ${person.id})`
  const where = agentId ? sql`agent_id = ${agentId} and ${known}` : known
  const all = sql`'all'`
  const { db } = services
  const [counted, spent] = await Promise.all([
    db.longRead(countedRuns(db.engine, all, where)),
    db.longRead(spentByCalls(all, where)),
  ])
  const { runs, errors, mock_runs, p50_ms, p95_ms, input_tokens, output_tokens, cost_usd } = figuresOf(
    counted.map((row) => ({ ...row, times: sortedDurations(row.times) })),
    spent,
  )
  const last = counted[0]?.last
  return {
    ...{ runs, errors, mock_runs, p50_ms, p95_ms, input_tokens, output_tokens, cost_usd },
    last_run_at: last === undefined ? null : new Date(last).toISOString(),
  }
}
