import type { SignInResult, User } from '#contract/accounts/accounts.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import type { Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import { insertPrimaryDomain } from '#server/domains/domain-slug.ts'
import { buildAcceptWrites } from '#server/domains/invitations/accept-invitation.ts'
import { findInvitation, requireOpenRow } from '#server/domains/invitations/invitations.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { findOneTimeLink, redeemOneTimeLink } from './one-time-link.ts'
import { hashPassword, refuseCommonPassword } from './password.ts'
import { buildSession } from './sessions.ts'

interface Registration {
  email: string
  password: string
  name?: string | null | undefined
  setupToken?: string | null | undefined
  invitationToken?: string | null | undefined
}

/** A setup token makes the account super-admin, an invitation token a member; an invalid token refuses the registration. */
export async function register(
  services: Services,
  input: Registration,
  address: string,
  device: string | null = null,
): Promise<SignInResult> {
  await requireOpenRegistration(services, input, address)
  refuseLinkInName('name', input.name)
  await refuseCommonPassword('password', input.password)
  const normalizedEmail = input.email.toLowerCase()
  // Checked first, so that no one without a required invitation learns whether an account exists.
  const invitation = input.invitationToken
    ? await requireInvitationFor(services, input.invitationToken, normalizedEmail)
    : null
  const sameEmail = services.db.selectFrom('people').select('id').where('email_folded', '=', normalizedEmail)
  if (await services.db.exists(sameEmail)) throw createEmailTakenProblem()
  if (input.setupToken && !(await findOneTimeLink(services, 'setup', input.setupToken)))
    throw new Problem('setup-link-refused')
  const passwordHash = await hashPassword(services, input.password, { address, isSuspected: false })

  const now = services.now().getTime()
  const { user, write: insertPersonWrite } = insertPerson(services, { ...input, passwordHash })
  const grantSuperAdmin = services.db
    .insertInto('role_grants')
    .values({ person_id: user.id, role: 'super-admin', granted_at: now, granted_by: null })
  const auditWrite = insertAudit(services, { action: 'account-registered', actor: user, personId: user.id })
  const writes: Write[] = input.setupToken
    ? [
        redeemOneTimeLink(services, 'setup', input.setupToken),
        insertPersonWrite,
        grantSuperAdmin,
        auditWrite,
        insertAudit(services, { action: 'role-granted', actor: null, personId: user.id, subject: 'super-admin' }),
      ]
    : [insertPersonWrite, auditWrite]
  const session = buildSession(services, user, { device })
  await createAccount(services, user, {
    writes,
    sessionWrites: session.writes,
    invitation,
    hasSetupToken: !!input.setupToken,
  })
  return session.signInResult
}

/** @throws Problem 403 if registration is closed to this person, 429 after too many from one network */
export async function requireOpenRegistration(
  services: Services,
  { setupToken, invitationToken }: Pick<Registration, 'setupToken' | 'invitationToken'>,
  address: string,
): Promise<void> {
  const { registration, limits } = services.settings
  const isInvited = registration === 'invite' && Boolean(invitationToken)
  if (!setupToken && registration !== 'open' && !isInvited) throw new Problem('registration-closed')
  const throttle = { kind: 'register', limit: limits.registrationsPerHour, windowMs: hourMs }
  await requireAttempt(services, throttle, address, 'Too many registrations from your network. Try again in an hour.')
}

/** The row alone; {@link createAccount} adds the domain and the session. */
export function insertPerson(
  services: Services,
  { email, name, passwordHash }: { email: string; name?: string | null | undefined; passwordHash: string },
): { user: User; write: Write } {
  const user = { id: services.newId(), email, name: name || null, nickname: null }
  const write = services.db.insertInto('people').values({
    ...user,
    email_folded: email.toLowerCase(),
    password_hash: passwordHash,
    preferred_theme_id: null,
    created_at: services.now().getTime(),
    last_sign_in_at: null,
    deactivated_at: null,
  })
  return { user, write }
}

interface AccountWrites {
  writes: Write[]
  sessionWrites: Write[]
  invitation: Awaited<ReturnType<typeof requireOpenRow>> | null
  hasSetupToken?: boolean
}

/** Writes an account with its first domain. @throws Problem if the email is taken or a link was used in the meantime */
export async function createAccount(
  services: Services,
  user: User,
  { writes, sessionWrites, invitation, hasSetupToken = false }: AccountWrites,
): Promise<void> {
  const allWrites = invitation ? [...writes, ...buildAcceptWrites(services, user, invitation)] : writes
  try {
    await writeWithDomain(services, user, allWrites, sessionWrites)
  } catch (error) {
    if (error instanceof UnexpectedChanges)
      throw new Problem(hasSetupToken && error.index === 0 ? 'setup-link-refused' : 'invitation-refused')
    if (invitation && error instanceof ForeignKeyViolation) throw new Problem('invitation-refused')
    throw error
  }
  if (invitation) await publishDomainChanged(services, invitation.domain_id)
}

export async function requireInvitationFor(services: Services, token: string, normalizedEmail: string) {
  const invitation = await findInvitation(services, token)
  // A retry after a lost response: report the account instead of a used invitation.
  if (invitation?.accepted_at != null && invitation.acceptor_email_folded === normalizedEmail)
    throw createEmailTakenProblem()
  return requireOpenRow(services, invitation)
}

async function writeWithDomain(
  services: Services,
  user: User,
  writes: Write[],
  sessionWrites: Write[],
  { canRetry } = { canRetry: true },
): Promise<void> {
  try {
    await services.db.batch([...writes, await insertPrimaryDomain(services, user), ...sessionWrites])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    if (error.columns.includes('email_folded')) throw createEmailTakenProblem()
    if (!canRetry || !error.columns.includes('slug')) throw error
    await writeWithDomain(services, user, writes, sessionWrites, { canRetry: false })
  }
}

function createEmailTakenProblem(): Problem {
  return new Problem('email-taken', {
    fields: { email: 'There is already an account with this email. Sign in instead.' },
  })
}
