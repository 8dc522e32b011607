import type { ExpressionBuilder, SqlBool } from 'kysely'
import type * as z from 'zod/mini'
import type { logFilter } from '#contract/agents/runs.ts'
import type { Person } from '#server/accounts/person.ts'
import { containsWord, splitSearchWords } from '#server/db/contains-word.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor, hasIdOrSlug } from '../agent-access.ts'

export type LogFilter = { [Name in keyof typeof logFilter]?: z.output<(typeof logFilter)[Name]> | undefined }

/** Runs a person can see: their own runs, runs of their agents, and with `view_logs` all runs. Content is shown for own runs only. */
export function buildVisibilityFilter(person: Person) {
  return (where: ExpressionBuilder<Schema, 'runs'>) =>
    person.permissions.has('view_logs')
      ? where.val(true).$castTo<SqlBool>()
      : where.or([where('runs.person_id', '=', person.id), where('runs.agent_owner_id', '=', person.id)])
}

/** Own runs and others are queried separately, so that each query uses an index. @throws Problem naming an invalid time field */
export async function findRuns(services: Services, person: Person, filter: LogFilter) {
  const { db } = services
  const agent = filter.agentId ? await findFilteredAgent(services, person, filter.agentId) : undefined
  const runs = db.selectFrom('runs').where(buildConditions(services, person, filter, agent))
  const queries = person.permissions.has('view_logs')
    ? [runs]
    : [
        runs.where('runs.person_id', '=', person.id),
        runs
          .where('runs.agent_owner_id', '=', person.id)
          .where((where) => where.or([where('runs.person_id', 'is', null), where('runs.person_id', '!=', person.id)])),
      ]
  return {
    async listNewestIds(limit: number, offset = 0): Promise<string[]> {
      const [firstQuery, ...remainingQueries] = queries.map((query) => {
        const newestOfQuery = query
          .select(['runs.id', 'runs.created_at'])
          .orderBy('runs.created_at', 'desc')
          .orderBy('runs.id')
          .limit(offset + limit)
        return db.selectFrom(newestOfQuery.as('part')).selectAll()
      })
      const newestOfAllQueries = remainingQueries.reduce(
        (union, query) => union.unionAll(query),
        firstQuery as NonNullable<typeof firstQuery>,
      )
      const page = await db.longRead(
        db
          .selectFrom(newestOfAllQueries.as('match'))
          .select('match.id')
          .orderBy('match.created_at', 'desc')
          .orderBy('match.id')
          .limit(limit)
          .offset(offset),
      )
      return page.map((run) => run.id)
    },
    async count(): Promise<number> {
      const counts = await Promise.all(
        queries.map((query) => db.longRead(query.select((select) => select.fn.countAll<number>().as('count')))),
      )
      return counts.reduce((sum, [row]) => sum + Number(row?.count ?? 0), 0)
    },
  }
}

async function findFilteredAgent(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<{ id: string } | undefined> {
  if (!person.permissions.has('view_logs')) return findAgentFor(services, person, idOrSlug)
  return services.db.selectFrom('agents').select('id').where(hasIdOrSlug(idOrSlug)).executeTakeFirst()
}

function buildConditions(services: Services, person: Person, filter: LogFilter, agent: { id: string } | undefined) {
  const from = filter.from ? parseInstant('from', filter.from) : undefined
  const to = filter.to ? parseInstant('to', filter.to) : undefined
  if (from !== undefined && to !== undefined && to <= from) throw badField('to', 'Use a time after the one in "from".')
  const terms = splitSearchWords(filter.q)
  return (where: ExpressionBuilder<Schema, 'runs'>) => {
    const { agentId, whose, status, provider } = filter
    return where.and([
      // Trials of unsaved agents name an agent but aren’t its runs.
      ...(agent ? [where('runs.agent_id', '=', agent.id), where('runs.origin', '!=', 'trial')] : []),
      // A deleted or unreadable agent: its runs keep its ID and slug.
      ...(agentId && !agent
        ? [where.or([where('runs.agent_id', '=', agentId), where('runs.agent_slug', '=', agentId)])]
        : []),
      ...(whose ? [where('runs.person_id', '=', person.id)] : []),
      ...(status ? [where('runs.status', '=', status)] : []),
      ...(provider ? [where('runs.model_provider', '=', provider)] : []),
      ...(from === undefined ? [] : [where('runs.created_at', '>=', from)]),
      ...(to === undefined ? [] : [where('runs.created_at', '<', to)]),
      ...terms.map((word) =>
        where.or([
          containsWord(services.db.engine, 'runs.agent_name', word),
          // Searches only own content, so that hits reveal nothing about what others wrote.
          where.and([
            where('runs.person_id', '=', person.id),
            where.or(
              ['runs.input', 'runs.response', 'runs.error'].map((column) =>
                containsWord(services.db.engine, column, word),
              ),
            ),
          ]),
        ]),
      ),
    ])
  }
}

const instantPattern = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Milliseconds. A date means its start; a time without a zone is UTC. */
function parseInstant(field: 'from' | 'to', text: string): number {
  const [, day, zone] = instantPattern.exec(text) ?? []
  const utc = text.includes('T') && !zone ? `${text}Z` : text
  const instant = Date.parse(utc)
  // Date.parse turns February 31 into a day in March.
  const isRealDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  if (!isRealDay || Number.isNaN(instant))
    throw badField(field, 'Use a date like 2026-11-20 or a time like 2026-11-20T08:30:00Z.')
  return instant
}
