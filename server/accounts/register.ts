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

/**
 * Makes an account with its primary domain. Whoever brings a valid set-up token becomes super-admin; everybody else
 * is an ordinary person, first or not. Whoever brings an invitation's token becomes a member of its domain, also where
 * registration is by invitation. A bad token refuses the registration instead of making a lesser account.
 */
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
      message: 'Too many registrations from here. Try again within the hour.',
      retryAfterSeconds: tries.waitSeconds,
    })
  refuseLinkInName('name', given.name)
  await refuseCommonPassword('password', given.password)
  const folded = given.email.toLowerCase()
  // First: where registration is by invitation, nobody learns without one whether an account exists.
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
    // The domain of the invitation was deleted at this moment.
    if (invitation && error instanceof ForeignKeyViolation) throw new Problem('invitation-refused')
    throw error
  }
  if (invitation) await tellDomain(services, invitation.domain_id)
  return session.signedIn
}

async function invitationFor(services: Services, token: string, folded: string) {
  const found = await findInvitation(services, token)
  // Who registered by it and never heard so is told of that account, and not to ask for another invitation.
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
    // Somebody of the same name registered at the same moment. Now that the slug is taken, another one is chosen.
    if (!again || !error.columns.includes('slug')) throw error
    await writeWithDomain(services, user, writes, session, false)
  }
}

function emailTaken(): Problem {
  return new Problem('email-taken', {
    fields: { email: 'There is an account with this e-mail already. Sign in instead.' },
  })
}
