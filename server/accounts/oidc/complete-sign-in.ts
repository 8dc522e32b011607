import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { oidc } from '#contract/accounts/oidc.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { noPasswordHash } from '../password.ts'
import { createAccount, insertPerson, requireInvitationFor, requireOpenRegistration } from '../register.ts'
import { buildSession, openSession, type ProviderSignIn, requireOpenAccount } from '../sessions.ts'
import { type OidcFlow, sealForBrowser, startFlow } from './flow.ts'
import { buildEndSessionUrl, requireOidcSettings } from './provider.ts'
import { type ProvenIdentity, readIdentity } from './read-identity.ts'
import { explainRefusals, OidcRefused } from './refusals.ts'
import { type RoleActions, syncRoles } from './sync-roles.ts'

interface SignInClient {
  address: string
  device: string | null
}

export function createOidcThrottle({ settings }: Pick<Services, 'settings'>) {
  return { kind: 'oidc', limit: settings.limits.signInPerAddress, windowMs: 15 * 60 * 1000 }
}

/** The identity that a person can connect after signing in to the account with the same email. */
export interface ConnectTicket {
  issuer: string
  subject: string
  personId: string
  /** KEEPER_OIDC_REQUIRED when the provider answered; the ticket is void once that setting changes. */
  requirement: string
}

export function describeRequirement(services: Pick<Services, 'settings'>): string {
  const { issuer, clientId, required } = requireOidcSettings(services)
  return JSON.stringify([issuer, clientId, required?.claim, required?.value])
}

export async function startSignIn(services: Services, invitationToken: string | null, address: string) {
  await requireAttempt(services, createOidcThrottle(services), address)
  return explainRefusals(services, null, () => startFlow(services, { purpose: 'sign-in', invitationToken }))
}

/**
 * Signs in the person of the identity, or registers one where registration allows it. An account with the same email is
 * never connected here: its owner must sign in for that.
 */
export async function completeSignIn(
  services: Services,
  roleActions: RoleActions,
  answer: { flow: string; query: string },
  client: SignInClient,
): Promise<EndpointOutput<typeof oidc.complete>> {
  await requireAttempt(services, createOidcThrottle(services), client.address)
  return explainRefusals(services, null, async () => {
    const { flow, identity } = await readIdentity(services, { purpose: 'sign-in' }, answer)
    const endSessionUrl = await buildEndSessionUrl(services)
    const signedIn = (await signInLinkedPerson(services, roleActions, identity, client.device)) ?? null
    if (signedIn) return { signedIn, endSessionUrl, connect: null }
    const email = requireUsableEmail(identity)
    const account = await services.db
      .selectFrom('people')
      .select('id')
      .where('email_folded', '=', email.toLowerCase())
      .executeTakeFirst()
    if (!account)
      return {
        signedIn: await registerIdentity(services, roleActions, flow, { ...identity, email }, client),
        endSessionUrl,
        connect: null,
      }
    const { issuer, subject } = identity
    const requirement = describeRequirement(services)
    const ticket: ConnectTicket = { issuer, subject, personId: account.id, requirement }
    return { signedIn: null, endSessionUrl, connect: { ticket: sealForBrowser(services, 'connect', ticket), email } }
  })
}

async function signInLinkedPerson(
  services: Services,
  roleActions: RoleActions,
  identity: ProvenIdentity,
  device: string | null,
): Promise<SignInResult | undefined> {
  const { db } = services
  const { issuer, subject, claims } = identity
  const now = services.now().getTime()
  const account = await db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'identities.person_id')
    .select(['people.id', 'people.email', 'people.name', 'people.nickname', 'people.password_hash'])
    .select(['people.deactivated_at', 'people.deletes_at', 'identities.id as identity_id'])
    .where('identities.issuer', '=', issuer)
    .where('identities.subject', '=', subject)
    .executeTakeFirst()
  if (!account) return undefined
  requireOpenAccount(services, account)
  const { id, email, name, nickname } = account
  const extraWrites = [
    // Fails if the identity was disconnected in the meantime.
    requireChanges(db.updateTable('identities').set({ last_used_at: now }).where('id', '=', account.identity_id)),
    insertAudit(services, {
      action: 'signed-in',
      actor: { id },
      personId: id,
      subject: new URL(issuer).hostname,
      details: { method: 'oidc' },
    }),
  ]
  await syncRoles(services, roleActions, id, claims)
  try {
    const user = { id, email, name, nickname }
    return await openSession(services, user, {
      method: 'oidc',
      provider: toProviderSignIn(services, account.identity_id, identity),
      device,
      extraWrites,
      passwordHash: account.password_hash,
    })
  } catch (error) {
    throw error instanceof UnexpectedChanges ? new OidcRefused('expired', error) : error
  }
}

/** `provedAt` can be long ago, if the provider answers from a session that it already had. */
function toProviderSignIn(
  services: Services,
  identityId: string,
  { ageMs, providerSession }: ProvenIdentity,
): ProviderSignIn {
  return { identityId, providerSession, provedAt: ageMs === null ? null : services.now().getTime() - ageMs }
}

function requireUsableEmail({ email, isEmailVerified }: ProvenIdentity): string {
  if (email === null) throw new OidcRefused('no-email')
  // Before the lookup, so that no one learns whether someone else's address has an account.
  if (!isEmailVerified) throw new OidcRefused('unverified-email')
  return email
}

async function registerIdentity(
  services: Services,
  roleActions: RoleActions,
  { invitationToken }: OidcFlow,
  identity: ProvenIdentity & { email: string },
  { address, device }: SignInClient,
): Promise<SignInResult> {
  const { db } = services
  const { issuer, subject, claims, email, name } = identity
  await requireOpenRegistration(services, { invitationToken }, address)
  const invitation = invitationToken ? await requireInvitationFor(services, invitationToken, email.toLowerCase()) : null
  const { user, write: insertPersonWrite } = insertPerson(services, { email, name, passwordHash: noPasswordHash })
  const now = services.now().getTime()
  const row = { id: services.newId(), person_id: user.id, issuer, subject, created_at: now, last_used_at: now }
  const insertIdentity = db.insertInto('identities').values(row)
  const auditEntry = { actor: user, personId: user.id, subject: new URL(issuer).hostname }
  const auditWrite = insertAudit(services, { ...auditEntry, action: 'account-registered' })
  const session = buildSession(services, user, {
    method: 'oidc',
    provider: toProviderSignIn(services, row.id, identity),
    device,
  })
  await createAccount(services, user, {
    writes: [insertPersonWrite, insertIdentity, auditWrite],
    sessionWrites: session.writes,
    invitation,
  })
  await syncRoles(services, roleActions, user.id, claims)
  return session.signInResult
}
