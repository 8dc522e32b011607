import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import { createSetupLink } from '#server/accounts/one-time-link.ts'
import { removeSecondFactor } from '#server/accounts/second-factor/second-factor.ts'
import { getInstallationName } from '#server/db/migrate.ts'
import { BucketMedia } from '#server/media/bucket-media.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { createCommandLineResetLink } from './account-actions.ts'
import { grantRole, revokeRole } from './roles.ts'
import { rotateSecret } from './rotate-secret.ts'

export class CommandRefused extends Error {}

interface AdminCommand {
  usage: string
  description: string
  run(services: Services, args: string[], environment: AdminEnvironment): Promise<string>
}

export interface AdminEnvironment {
  KEEPER_NEW_SECRET?: string | undefined
}

const adminCommands: Record<string, AdminCommand> = {
  'setup-link': {
    usage: 'setup-link',
    description: 'a link to register as super-admin; works once, for a day',
    run: async (services) => {
      const token = await createSetupLink(services)
      return `Open this link within a day; it works once: ${getPublicUrl(services)}/register?setup=${token}`
    },
  },
  'reset-link': {
    usage: 'reset-link <email>',
    description: 'a link to set a new password; works once, for an hour',
    run: async (services, [email]) => {
      const person = await requirePersonByEmail(services, email)
      return `${person.email} can set a new password here within an hour: ${await createCommandLineResetLink(services, person.id)}`
    },
  },
  'remove-second-factor': {
    usage: 'remove-second-factor <email>',
    description: 'turn off the codes of someone who lost their phone; the password stays',
    run: async (services, [email]) => {
      const person = await requirePersonByEmail(services, email)
      return (await removeSecondFactor(services, person.id, null))
        ? `${person.email} can sign in with the password alone.`
        : `${person.email} has no codes turned on.`
    },
  },
  grant: {
    usage: 'grant <email> <role>',
    description: `grant a platform role: ${platformRoles.join(', ')}`,
    run: async (services, [email, role]) => {
      const person = await requirePersonByEmail(services, email)
      const platformRole = requireRole(role)
      await grantRole(services, { personId: person.id, role: platformRole, by: null })
      return `${person.email} is now ${platformRole}.`
    },
  },
  revoke: {
    usage: 'revoke <email> <role>',
    description: 'revoke a platform role',
    run: async (services, [email, role]) => {
      const person = await requirePersonByEmail(services, email)
      const platformRole = requireRole(role)
      await revokeRole(services, { personId: person.id, role: platformRole, by: null })
      return `${person.email} is no longer ${platformRole}.`
    },
  },
  list: {
    usage: 'list',
    description: 'list everyone with a platform role',
    run: listRoles,
  },
  'rotate-secret': {
    usage: 'rotate-secret',
    description: 'encrypt every stored provider key with a new secret (KEEPER_NEW_SECRET when KEEPER_SECRET is set)',
    run: (services, _args, environment) => rotateSecret(services, environment.KEEPER_NEW_SECRET ?? null),
  },
  'media-to-bucket': {
    usage: 'media-to-bucket',
    description: 'copy pictures and recordings from the data folder to S3_BUCKET and claim the bucket',
    run: async ({ db, media }) => {
      if (!(media instanceof BucketMedia))
        throw new CommandRefused('Set S3_BUCKET first, for both this command and the server.')
      const copiedCount = await media.copyFolder()
      await media.setOwner(await getInstallationName(db))
      return `${copiedCount} ${copiedCount === 1 ? 'file was' : 'files were'} copied. Everything is now in the bucket, which belongs to this Keeper. You can move or delete the "media" folder.`
    },
  },
}

export async function runAdminCommand(
  services: Services,
  args: string[],
  environment: AdminEnvironment = {},
): Promise<string> {
  const [name = '', ...commandArgs] = args
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined
  if (!command) throw new CommandRefused(formatUsage(name))
  const expectedCount = command.usage.split(' ').length - 1
  if (commandArgs.length !== expectedCount) throw new CommandRefused(`Usage: npm run admin -- ${command.usage}`)
  return command.run(services, commandArgs, environment)
}

function formatUsage(name: string): string {
  const lines = Object.values(adminCommands).map((command) => `  ${command.usage.padEnd(32)}${command.description}`)
  const unknown = name && `Unknown command "${name}". `
  return `${unknown}Usage: npm run admin -- <command>\n${lines.join('\n')}`
}

async function requirePersonByEmail(services: Services, email = ''): Promise<{ id: string; email: string }> {
  const person = await services.db
    .selectFrom('people')
    .select(['id', 'email'])
    .where('email_folded', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  if (!person) throw new CommandRefused(`No one is registered as ${email}.`)
  return person
}

function requireRole(role = ''): PlatformRole {
  if ((platformRoles as readonly string[]).includes(role)) return role as PlatformRole
  throw new CommandRefused(`Unknown role "${role}". The roles are ${platformRoles.join(', ')}.`)
}

async function listRoles(services: Services): Promise<string> {
  const rows = await services.db
    .selectFrom('role_grants')
    .innerJoin('people', 'people.id', 'role_grants.person_id')
    .select(['people.email', 'people.name', 'people.deactivated_at', 'role_grants.role'])
    .orderBy('people.email_folded')
    .execute()
  if (rows.length === 0)
    return 'No one has a platform role yet. Create a link for the first super-admin: npm run admin -- setup-link'
  const people = Map.groupBy(rows, ({ email }) => email)
  return [...people]
    .map(([email, grants]) => {
      const [first] = grants
      const roles = grants.map(({ role }) => role).toSorted()
      return `${email.padEnd(36)}${roles.join(', ')}${first?.deactivated_at ? ' (deactivated)' : ''}`
    })
    .join('\n')
}
