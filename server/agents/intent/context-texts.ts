import type { ContextText } from '#contract/agents/intent.ts'
import type { Person } from '#server/accounts/person.ts'
import { hotQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { platformGuide } from './platform-guide.ts'

type Scope = ContextText['scope']

/** What comes with Keeper; nobody but whoever runs it knows its code base and what all agents should know. */
const defaults: Record<Scope, string> = { codebase: '', platform_wide: platformGuide, system: '' }
const scopes = Object.keys(defaults) as Scope[]

/** What is put before an agent of that scope; empty when there is nothing to put. */
export async function contextTextFor(services: Services, scope: Scope): Promise<string> {
  const row = await ownText.first(services.db, { scope })
  return row?.body ?? defaults[scope]
}

const ownText = hotQuery<{ scope: string }>()((db, { scope }) =>
  db.selectFrom('context_texts').select('body').where('scope', '=', scope),
)

export async function listContextTexts(services: Services): Promise<ContextText[]> {
  const rows = await services.db.selectFrom('context_texts').select(['scope', 'body', 'updated_at']).execute()
  return scopes.map((scope) => {
    const row = rows.find((each) => each.scope === scope)
    return {
      scope,
      body: row?.body ?? defaults[scope],
      updated_at: row ? new Date(row.updated_at).toISOString() : null,
    }
  })
}

/** An empty text, or the one that comes with Keeper, goes back to that one, which may be better in a later version. */
export async function setContextText(
  services: Services,
  person: Person,
  scope: Scope,
  body: string,
): Promise<ContextText> {
  if (body.trim() === '' || body === defaults[scope]) {
    await services.db.deleteFrom('context_texts').where('scope', '=', scope).execute()
    return { scope, body: defaults[scope], updated_at: null }
  }
  const now = services.now().getTime()
  const written = { body, updated_at: now, updated_by: person.id }
  await services.db
    .insertInto('context_texts')
    .values({ scope, ...written })
    .onConflict((conflict) => conflict.column('scope').doUpdateSet(written))
    .execute()
  return { scope, body, updated_at: new Date(now).toISOString() }
}
