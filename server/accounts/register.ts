import type { SignedIn, User } from '#contract/accounts/accounts.ts'
import { auditing } from '#server/audit/write-audit.ts'
import type { Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import { acceptingInvitation } from '#server/domains/invitations/accept-invitation.ts'
import { findInvitation, requireOpen } from '#server/domains/invitations/require-open-invitation.ts'
import { primaryDomain } from '#server/domains/primary-domain.ts'
import { tellDomain } from '#server/domains/tell-domain.ts'
import { hourMs } from '#server/hours-and-days.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { findOneTimeLink, redeemingOneTimeLink } from './one-time-link.ts'
import { hashPassword } from './password.ts'
import { openingSession } from './sessions.ts'

interface Registration {
  email: string
  password: string
  name?: string | null | undefined
  setupToken?: string | null | undefined
  invitationToken?: string | null | undefined
}

/** A set-up token makes the account super-admin, an invitation token a member; an invalid token refuses the registration. */
export async function register(
  services: Services,
  given: Registration,
  address: string,
  device: string | null = null,
): Promise<SignedIn> {
  const { settings } = services
  const isInvited = settings.registration === 'invite' && Boolean(given.invitationToken)
  if (!given.setupToken && settings.registration !== 'open' && !isInvited) throw new Problem('registration-closed')
  const tries = await countTry(
    services,
    { kind: 'register', limit: settings.limits.registrationsPerHour, windowMs: hourMs },
    address,
  )
  if (!tries.within)
    throw new Problem('too-many', {
      message: 'Too many registrations from your network. Try again in an hour.',
      retryAfterSeconds: tries.waitSeconds,
    })
  refuseLinkInName('name', given.name)
  await refuseCommonPassword('password', given.password)
  const folded = given.email.toLowerCase()
  // Checked first: with invite-only registration, no one learns without one whether an account exists.
  const invitation = given.invitationToken ? await invitationFor(services, given.invitationToken, folded) : null
  const taken = await services.db
    .selectFrom('people')
    .select('id')
    .where('email_folded', '=', folded)
    .executeTakeFirst()
  if (taken) throw emailTaken()
  if (given.setupToken && !(await findOneTimeLink(services, 'setup', given.setupToken)))
    throw new Problem('setup-link-refused')
  const passwordHash = await hashPassword(services, given.password, { address, isSuspected: false })

  const now = services.now().getTime()
  const user = { id: services.newId(), email: given.email, name: given.name || null, nickname: null }
  const person = services.db.insertInto('people').values({
    ...user,
    email_folded: folded,
    password_hash: passwordHash,
    preferred_theme_id: null,
    created_at: now,
    last_sign_in_at: null,
    deactivated_at: null,
  })
  const superAdmin = services.db
    .insertInto('role_grants')
    .values({ person_id: user.id, role: 'super-admin', granted_at: now, granted_by: null })
  const registered = auditing(services, { action: 'account-registered', actor: user, personId: user.id })
  const writes: Write[] = given.setupToken
    ? [
        redeemingOneTimeLink(services, 'setup', given.setupToken),
        person,
        superAdmin,
        registered,
        auditing(services, { action: 'role-granted', actor: null, personId: user.id, subject: 'super-admin' }),
      ]
    : [person, registered]
  const session = openingSession(services, user, device)
  if (invitation) writes.push(...acceptingInvitation(services, user, invitation))
  try {
    await writeWithDomain(services, user, writes, session.writes)
  } catch (error) {
    if (error instanceof UnexpectedChanges)
      throw new Problem(given.setupToken && error.index === 0 ? 'setup-link-refused' : 'invitation-refused')
    // The invitation's domain was deleted concurrently.
    if (invitation && error instanceof ForeignKeyViolation) throw new Problem('invitation-refused')
    throw error
  }
  if (invitation) await tellDomain(services, invitation.domain_id)
  return session.signedIn
}

async function invitationFor(services: Services, token: string, folded: string) {
  const found = await findInvitation(services, token)
  // A retry after a lost response: report the account instead of a used invitation.
  if (found?.accepted_at != null && found.comer_email_folded === folded) throw emailTaken()
  return requireOpen(services, found)
}

async function writeWithDomain(
  services: Services,
  user: User,
  writes: Write[],
  session: Write[],
  again = true,
): Promise<void> {
  try {
    await services.db.batch([...writes, await primaryDomain(services, user), ...session])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    if (error.columns.includes('email_folded')) throw emailTaken()
    // A namesake registered concurrently and took the slug; the retry picks another one.
    if (!again || !error.columns.includes('slug')) throw error
    await writeWithDomain(services, user, writes, session, false)
  }
}

function emailTaken(): Problem {
  return new Problem('email-taken', {
    fields: { email: 'There is already an account with this email. Sign in instead.' },
  })
}
