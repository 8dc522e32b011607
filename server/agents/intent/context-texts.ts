import type { ContextText } from '#contract/agents/intent.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { preparedQuery, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { platformGuide } from './platform-guide.ts'

type ContextScope = ContextText['scope']

const defaultTexts: Record<ContextScope, string> = { codebase: '', platform_wide: platformGuide, system: '' }
const contextScopes = Object.keys(defaultTexts) as ContextScope[]

export async function getContextText(services: Services, scope: ContextScope): Promise<string> {
  const row = await findCustomText.first(services.db, { scope })
  return row?.body ?? defaultTexts[scope]
}

const findCustomText = preparedQuery<{ scope: string }>()((db, { scope }) =>
  db.selectFrom('context_texts').select('body').where('scope', '=', scope),
)

export async function listContextTexts({ db }: Services): Promise<ContextText[]> {
  const rows = await db.selectFrom('context_texts').select(['scope', 'body', 'updated_at']).execute()
  return contextScopes.map((scope) =>
    toContextTextView(
      scope,
      rows.find((row) => row.scope === scope),
    ),
  )
}

/** A default text deletes the custom one, so that future defaults apply. @throws Problem `stale` with both texts */
export async function setContextText(
  services: Services,
  person: Person,
  { scope, body }: { scope: ContextScope; body: string },
  ifMatch: number | null,
): Promise<ContextText> {
  const { db } = services
  for (;;) {
    const row = await db
      .selectFrom('context_texts')
      .select(['body', 'updated_at'])
      .where('scope', '=', scope)
      .executeTakeFirst()
    const current = toContextTextView(scope, row)
    if (ifMatch !== null && ifMatch !== current.rev)
      throw new Problem('stale', { data: { yours: { ...current, body, rev: ifMatch }, current } })
    const isDefault = body.trim() === '' || body === defaultTexts[scope]
    if (row ? body === row.body && !isDefault : isDefault) return current
    // The revision derives from the time, so each save needs a distinct one.
    const now = Math.max(services.now().getTime(), (row?.updated_at ?? 0) + 1)
    const customRow = { body, updated_at: now, updated_by: person.id }
    const previousUpdatedAt = row?.updated_at ?? 0
    const write = isDefault
      ? db.deleteFrom('context_texts').where('scope', '=', scope).where('updated_at', '=', previousUpdatedAt)
      : row
        ? db
            .updateTable('context_texts')
            .set(customRow)
            .where('scope', '=', scope)
            .where('updated_at', '=', previousUpdatedAt)
        : db
            .insertInto('context_texts')
            .values({ scope, ...customRow })
            .onConflict((conflict) => conflict.column('scope').doNothing())
    const action = isDefault ? 'context-text-reset' : 'context-text-set'
    try {
      await db.batch([requireChanges(write), insertAudit(services, { action, actor: person, subject: scope })])
    } catch (error) {
      if (error instanceof UnexpectedChanges) continue
      throw error
    }
    return toContextTextView(scope, isDefault ? undefined : customRow)
  }
}

/** Maps a time to the range of `If-Match`; repeats only after 24 days. */
const toRevision = (milliseconds: number): number => (milliseconds % 2_147_483_646) + 1

function toContextTextView(scope: ContextScope, row: { body: string; updated_at: number } | undefined): ContextText {
  if (!row) return { scope, body: defaultTexts[scope], updated_at: null, rev: 0 }
  return { scope, body: row.body, updated_at: new Date(row.updated_at).toISOString(), rev: toRevision(row.updated_at) }
}
