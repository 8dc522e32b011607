import type { Person } from '#server/accounts/person.ts'
import { listSessions } from '#server/accounts/sessions.ts'
import { managersOnly } from '#server/domains/people/domain-activity.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'

const auditPageSize = 500

/** `account.json`: profile, memberships and audit. Keys are masked; tokens and hashes are left out. */
export async function* streamAccount(services: Services, person: Person): AsyncGenerator<string> {
  const account = { ...(await readProfile(services, person)), ...(await readMemberships(services, person)) }
  const head = { format: 'keeper-account', version: 1, exportedAt: services.now().toISOString(), ...account }
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "audit": `
  yield* streamJsonList(streamAudit(services, person))
  yield '\n}\n'
}

export async function* streamJsonList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]' : '\n]'
}

async function readProfile(services: Services, person: Person) {
  const { db } = services
  const row = await db.selectFrom('people').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow()
  const keys = await db.selectFrom('provider_keys').selectAll().where('owner', '=', person.id).execute()
  const toolServers = await db
    .selectFrom('personal_tool_servers')
    .select(['name', 'address', 'created_at'])
    .where('owner_id', '=', person.id)
    .execute()
  const budget = await db
    .selectFrom('budgets')
    .select(['limit_micros', 'warn_at_percent'])
    .where('scope', '=', 'mine')
    .where('subject', '=', person.id)
    .executeTakeFirst()
  return {
    profile: {
      id: row.id,
      email: row.email,
      name: row.name,
      nickname: row.nickname,
      createdAt: toIsoTimeOrNull(row.created_at),
      lastSignInAt: toIsoTimeOrNull(row.last_sign_in_at),
      deletesAt: toIsoTimeOrNull(row.deletes_at),
      platformRoles: person.roles,
    },
    settings: {
      preferredThemeId: row.preferred_theme_id,
      firstStepsDismissedAt: toIsoTimeOrNull(row.first_steps_dismissed_at),
      monthlyBudgetUsd: budget?.limit_micros == null ? null : budget.limit_micros / 1_000_000,
      providerKeys: keys.map(({ provider, masked, created_at }) => ({
        provider,
        masked,
        createdAt: toIsoTimeOrNull(created_at),
      })),
      toolServers: toolServers.map(({ name, address, created_at }) => ({
        name,
        address,
        createdAt: toIsoTimeOrNull(created_at),
      })),
    },
    sessions: await listSessions(services, person.id, person.sessionId),
  }
}

async function readMemberships({ db }: Services, person: Person) {
  const domains = await db.selectFrom('domains').selectAll().where('owner_id', '=', person.id).execute()
  const notes = await db
    .selectFrom('domain_members')
    .innerJoin('people', 'people.id', 'domain_members.person_id')
    .select(['domain_members.domain_id as id', 'people.name as about', 'domain_members.note'])
    // SQL allows no empty list.
    .where('domain_members.domain_id', 'in', [...domains.map(({ id }) => id), ''])
    .where('domain_members.note', '!=', '')
    .orderBy('people.id')
    .execute()
  const memberships = await db
    .selectFrom('domain_members')
    .innerJoin('domains', 'domains.id', 'domain_members.domain_id')
    .select([
      'domains.id',
      'domains.name',
      'domain_members.role',
      'domain_members.added_at',
      'domain_members.agreed_at',
    ])
    .where('domain_members.person_id', '=', person.id)
    .execute()
  const invitations = await db
    .selectFrom('invitations')
    .innerJoin('domains', 'domains.id', 'invitations.domain_id')
    .selectAll('invitations')
    .select('domains.name as domain')
    .where('invited_by', '=', person.id)
    .execute()
  return {
    domains: domains.map((row) => ({
      id: row.id,
      name: row.name,
      slug: row.slug,
      description: row.description,
      isPrimary: row.is_primary,
      customDomain: row.custom_domain,
      createdAt: toIsoTimeOrNull(row.created_at),
      notesOnMembers: notes.filter(({ id }) => id === row.id).map(({ about, note }) => ({ about, note })),
    })),
    memberships: memberships.map(({ added_at, agreed_at, ...row }) => ({
      ...row,
      addedAt: toIsoTimeOrNull(added_at),
      agreedAt: toIsoTimeOrNull(agreed_at),
    })),
    invitationsSent: invitations.map((row) => ({
      domain: row.domain,
      email: row.email,
      role: row.role,
      note: row.note,
      sentAt: toIsoTimeOrNull(row.sent_at),
      acceptedAt: toIsoTimeOrNull(row.accepted_at),
      revokedAt: toIsoTimeOrNull(row.revoked_at),
    })),
  }
}

/** Leaves out managers' notes on this person, like the domain's activity. */
async function* streamAudit({ db }: Services, { id }: Person): AsyncGenerator<unknown> {
  let lastRow = { at: -1, id: '' }
  for (;;) {
    const { at, id: last } = lastRow
    const rows = await db
      .selectFrom('audit_events')
      .selectAll()
      .where((where) =>
        where.or([
          where('actor_id', '=', id),
          where.and([where('person_id', '=', id), where('action', 'not in', managersOnly)]),
        ]),
      )
      .where((where) => where.or([where('at', '>', at), where.and([where('at', '=', at), where('id', '>', last)])]))
      .orderBy('at')
      .orderBy('id')
      .limit(auditPageSize)
      .execute()
    for (const row of rows)
      yield {
        at: toIsoTimeOrNull(row.at),
        action: row.action,
        by: row.actor_id === id ? 'you' : row.actor_id === null ? 'the server' : 'someone else',
        to: row.person_id === null ? null : row.person_id === id ? 'you' : 'someone else',
        domainId: row.domain_id,
        subject: row.subject,
        details: row.details,
      }
    const newest = rows.at(-1)
    if (!newest || rows.length < auditPageSize) return
    lastRow = newest
  }
}
