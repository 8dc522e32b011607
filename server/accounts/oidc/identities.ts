import { sql } from 'kysely'
import type { OidcIdentity, oidc } from '#contract/accounts/oidc.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { emailAboutSecurity } from '../mailer.ts'
import { buildPasswordExposedCondition, lockPerson } from '../one-time-link.ts'
import type { Person } from '../person.ts'
import { buildOtherSignInCondition } from '../sign-in-methods.ts'
import { type ConnectTicket, createOidcThrottle, describeRequirement } from './complete-sign-in.ts'
import { openFromBrowser, startFlow } from './flow.ts'
import { findOidcSettings } from './provider.ts'
import { readIdentity } from './read-identity.ts'
import { explainRefusals, OidcRefused } from './refusals.ts'

const maxIdentities = 10

interface IdentityRow {
  id: string
  issuer: string
  created_at: number
  last_used_at: number | null
}

function toIdentity(row: IdentityRow): OidcIdentity {
  return {
    id: row.id,
    issuer: new URL(row.issuer).hostname,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: toIsoTimeOrNull(row.last_used_at),
  }
}

export async function listIdentities(
  services: Services,
  person: Pick<Person, 'id'>,
): Promise<EndpointOutput<typeof oidc.identities>> {
  const rows = await services.db
    .selectFrom('identities')
    .select(['id', 'issuer', 'created_at', 'last_used_at'])
    .where('person_id', '=', person.id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxIdentities)
    .execute()
  return { label: findOidcSettings(services)?.label ?? null, items: rows.map(toIdentity) }
}

/** Whether the person is connected to the provider that is set up now. */
export async function canProveWithProvider(services: Services, person: Pick<Person, 'id'>): Promise<boolean> {
  const issuer = findOidcSettings(services)?.issuer.replace(/\/$/, '')
  if (issuer === undefined) return false
  return services.db.exists(
    services.db
      .selectFrom('identities')
      .select('id')
      .where('person_id', '=', person.id)
      .where('issuer', 'in', [issuer, `${issuer}/`]),
  )
}

export async function startLink(services: Services, person: Person, address: string) {
  await requireAttempt(services, createOidcThrottle(services), address)
  return explainRefusals(services, person, () => startFlow(services, { purpose: 'link', personId: person.id }))
}

/** Connects the identity of a sign-in that the same person started. */
export async function completeLink(
  services: Services,
  person: Person,
  answer: { flow: string; query: string },
  address: string,
): Promise<OidcIdentity> {
  await requireAttempt(services, createOidcThrottle(services), address)
  return explainRefusals(services, person, async () => {
    const { identity } = await readIdentity(services, { purpose: 'link', personId: person.id }, answer)
    return linkIdentity(services, person, identity)
  })
}

/** Connects the identity of a sign-in that found this account by its email, now that its owner has signed in. */
export async function connectIdentity(services: Services, person: Person, ticket: string): Promise<OidcIdentity> {
  return explainRefusals(services, person, async () => {
    const { personId, requirement, ...identity } = await openFromBrowser<ConnectTicket>(services, 'connect', ticket)
    if (requirement !== describeRequirement(services)) throw new OidcRefused('expired')
    if (personId !== person.id) throw new OidcRefused('other-person')
    return linkIdentity(services, person, identity)
  })
}

/** Idempotent. @throws Problem 409 for an identity of someone else, or an account that must not have one */
async function linkIdentity(
  services: Services,
  person: Person,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<OidcIdentity> {
  const { db } = services
  const existing = await findIdentity(services, issuer, subject)
  if (existing?.person_id === person.id) return toIdentity(existing)
  // The creator of a reset link may know the password, and could keep signing in with an identity of their own.
  const { isExposed } = await db
    .selectNoFrom(buildPasswordExposedCondition(person.id).as('isExposed'))
    .executeTakeFirstOrThrow()
  if (isExposed)
    throw new Problem('conflict', {
      message: 'The person who created your reset link may know your password. Ask for a new link before you connect.',
    })
  if (existing) throw createIdentityTakenProblem()
  const { items } = await listIdentities(services, person)
  if (items.length >= maxIdentities)
    throw new Problem('conflict', {
      message: `You can connect at most ${maxIdentities} identities. Disconnect one first.`,
    })
  const now = services.now().getTime()
  const row = { id: services.newId(), issuer, subject, created_at: now, last_used_at: null }
  const auditEntry = { actor: person, personId: person.id, subject: new URL(issuer).hostname }
  try {
    await db.batch([
      db.insertInto('identities').values({ ...row, person_id: person.id }),
      insertAudit(services, { ...auditEntry, action: 'identity-linked' }),
    ])
  } catch (error) {
    throw error instanceof UniqueViolation ? createIdentityTakenProblem() : error
  }
  services.live.publish(person.id, { type: 'account-changed' })
  await notifyByEmail(services, person, 'connected to', auditEntry.subject)
  return toIdentity(row)
}

export function findIdentity({ db }: Services, issuer: string, subject: string) {
  return db
    .selectFrom('identities')
    .select(['id', 'person_id', 'issuer', 'created_at', 'last_used_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

const createIdentityTakenProblem = () =>
  new Problem('conflict', { message: 'This identity belongs to another account. Sign in with it to see which.' })

/** @throws Problem 404 for an unknown id or another person's; 409 for the last way to sign in */
export async function unlinkIdentity(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const identityQuery = db
    .selectFrom('identities')
    .select('issuer')
    .where('id', '=', id)
    .where('person_id', '=', person.id)
  const identity = await identityQuery.executeTakeFirst()
  if (!identity) throw new Problem('not-found', { message: 'Identity not found' })
  const subject = new URL(identity.issuer).hostname
  const isUnlinked = await db.batchUnlessChanged([
    ...lockPerson(services, person.id),
    requireChanges(
      db
        .deleteFrom('identities')
        .where('id', '=', id)
        .where('person_id', '=', person.id)
        .where(buildOtherSignInCondition(services, person.id, { identityFilter: sql`identities.id <> ${id}` })),
    ),
    insertAudit(services, { action: 'identity-unlinked', actor: person, personId: person.id, subject }),
  ])
  if (!isUnlinked) {
    if (!(await identityQuery.executeTakeFirst())) return
    throw new Problem('conflict', {
      message:
        'This is your only way to sign in. Set a password with a reset link, or add a passkey, then disconnect it.',
    })
  }
  services.live.publish(person.id, { type: 'account-changed' })
  await notifyByEmail(services, person, 'disconnected from', subject)
}

function notifyByEmail(services: Services, person: Person, change: string, host: string): Promise<void> {
  return emailAboutSecurity(services, person.id, {
    subject: `A sign-in was ${change} your Keeper account`,
    text: `A sign-in with ${host} was ${change} your Keeper account.`,
  })
}
