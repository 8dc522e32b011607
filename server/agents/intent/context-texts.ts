import type { Selectable } from 'kysely'
import type { ContextText } from '#contract/agents/intent.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { type Database, prepareQuery, requireChanges } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

export const platformGuide = `This is a guide to Keeper, the app you are part of. Use it to answer questions about where things are or what a word means. If the answer isn't here, say that you don't know. Name screens and buttons exactly as they are written here.

What Keeper is
Keeper runs on a machine that belongs to the people who use it. People create agents, run them, chat with them and see what each run did and cost. The administrator can change this guide under Studio Admin.

Words
- Agent: a purpose, a model and settings, created under Manage Agents. Its slug is its short name in addresses.
- Class: Standard does one task; a Coordinator runs the agents in its bundle; a Lead has its own chat page at /its-slug. Persona is coming soon.
- Status: ready, in-progress or error. Only a ready agent runs.
- Visibility: private (only its owner), shared (people with the right to Run, Edit, Share or Delete), public (everyone here; a public Lead also answers visitors who aren't signed in).
- Context scope: what an agent receives besides its purpose. General and user_input: nothing. keeper: what the keepers of the person who runs it know. codebase, platform_wide and system: texts that the administrator of this Keeper wrote; platform_wide is this guide unless it was changed.
- Run: one answer of an agent. The logs keep each run with its steps, time, tokens and cost.
- Mock: without a provider key an agent answers with a mock, and says so. No model is called.
- Golden question: a question with what its answer must say. Each agent can have up to 50, below its form; they can be run before changes are saved.
- Version: each save of an agent. Versions, above its form, shows what changed and restores one.
- Keeper type: what kind of content a keeper holds, and its memory pattern (SOLE, one standing story; CRMTimeline, things by date; or another word). Types are assigned to agents.

Screens
- Root Dashboard, /root: the start page. Profile, Domain Settings and Personal API Keys are its tabs.
- Personal API Keys, /root/api-keys: your own keys for OpenAI, Anthropic, Together AI and ElevenLabs. They are used before the platform's keys.
- Kip Studio, /studio/kip: the newest runs (Thoughts), the agents, the Intent Console and the chat pages of Lead agents.
- Intent Console, in Kip Studio: say in one line what you want; it can propose an agent. The agent is saved only when someone presses Create Agent in the form.
- Manage Agents, /studio/agents: the tabs Registry, Agent (the form) and Keeper Types. Create New Agent, Run, Edit and Delete are there.
- Agent workspace, /studio/agents/the-id: one agent, to run it and to see its stats.
- Agent Execution Logs, /studio/kip/logs: every run you can see, with filters, the steps of each run and an export as CSV.
- Studio Admin, /studio/admin: platform keys, agents, logs, API Usage Analytics (tokens, cost, budgets, prices), and for those who configure the system the context texts of agents.
- Platform API Keys, /studio/kip/api-keys: keys for people who don't have their own.
- Chat: /kip, /ceox, and /the-slug of any Lead agent.
- Diagnostics, /debug: whether everything works.
- Ctrl+K opens the palette, which finds pages and agents. The switcher Architect, My Keeper, Admin changes what the sidebar shows.

How to do things
- Create an agent: Manage Agents, Create New Agent; name, purpose, Create Agent. Or say it in the Intent Console.
- Get real answers instead of mock ones: Personal API Keys, add a key.
- Share an agent: set its visibility to shared, save, then give people rights at the end of its form, under Sharing.
- Export an agent as a file: Export, above its form. Import one: Import, at the top of Manage Agents.
- See why a run failed: Agent Execution Logs, open the run.`

type ContextScope = ContextText['scope']

const defaultTexts: Record<ContextScope, string> = { codebase: '', platform_wide: platformGuide, system: '' }
const contextScopes = Object.keys(defaultTexts) as ContextScope[]

export async function getContextText(services: Services, scope: ContextScope): Promise<string> {
  const row = await findCustomText.first(services.db, { scope })
  return row?.body ?? defaultTexts[scope]
}

const findCustomText = prepareQuery<{ scope: string }>()((db, { scope }) =>
  db.selectFrom('context_texts').select('body').where('scope', '=', scope),
)

export async function listContextTexts({ db }: Services): Promise<ContextText[]> {
  const rows = await db.selectFrom('context_texts').select(['scope', 'body', 'updated_at']).execute()
  return contextScopes.map((scope) => {
    const row = rows.find((candidate) => candidate.scope === scope)
    return toContextTextView(scope, row)
  })
}

/** A default text deletes the custom one, so that future defaults apply. @throws Problem `stale` with both texts */
export async function setContextText(
  services: Services,
  person: Person,
  { scope, body }: { scope: ContextScope; body: string },
  ifMatch: number | null,
): Promise<ContextText> {
  const { db } = services
  return retryChanges(async () => {
    const row = await db
      .selectFrom('context_texts')
      .select(['body', 'updated_at'])
      .where('scope', '=', scope)
      .executeTakeFirst()
    const current = toContextTextView(scope, row)
    if (ifMatch !== null && ifMatch !== current.rev)
      throw new Problem('stale', { data: { yours: { ...current, body, rev: ifMatch }, current } })
    const isDefault = body.trim() === '' || body === defaultTexts[scope]
    const isUnchanged = row ? body === row.body && !isDefault : isDefault
    if (isUnchanged) return current
    const previous = { scope, updated_at: row?.updated_at ?? 0 }
    // The revision derives from the time, so each save needs a distinct one.
    const now = Math.max(services.now().getTime(), previous.updated_at + 1)
    const customRow = { scope, body, updated_at: now, updated_by: person.id }
    const write = isDefault ? buildTextDelete(db, previous) : buildTextWrite(db, customRow, row && previous)
    const action = isDefault ? 'context-text-reset' : 'context-text-set'
    await db.batch([requireChanges(write), insertAudit(services, { action, actor: person, subject: scope })])
    return toContextTextView(scope, isDefault ? undefined : customRow)
  })
}

type TextRevision = Pick<ContextTextRow, 'scope' | 'updated_at'>
type ContextTextRow = Selectable<Schema['context_texts']>

function buildTextDelete(db: Database, previous: TextRevision) {
  return db.deleteFrom('context_texts').where((where) => where.and(previous))
}

function buildTextWrite(db: Database, row: ContextTextRow, previous: TextRevision | undefined) {
  if (previous)
    return db
      .updateTable('context_texts')
      .set(row)
      .where((where) => where.and(previous))
  return db
    .insertInto('context_texts')
    .values(row)
    .onConflict((conflict) => conflict.column('scope').doNothing())
}

/** Maps a time to the range of `If-Match`; repeats only after 24 days. */
const toRevision = (milliseconds: number): number => (milliseconds % 2_147_483_646) + 1

function toContextTextView(scope: ContextScope, row: { body: string; updated_at: number } | undefined): ContextText {
  if (!row) return { scope, body: defaultTexts[scope], updated_at: null, rev: 0 }
  return { scope, body: row.body, updated_at: toIsoTime(row.updated_at), rev: toRevision(row.updated_at) }
}
