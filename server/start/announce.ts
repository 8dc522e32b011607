import { join } from 'node:path'
import { sql } from 'kysely'
import { createSetupLink } from '../accounts/one-time-link.ts'
import type { Services } from '../services.ts'
import { getPublicUrl, hasOwnAddress } from '../settings/public-url.ts'

/** Prints where the data and Keeper are and, until there is an administrator, the link to set Keeper up. */
export async function announceStart(services: Services, isDatabaseNew: boolean): Promise<void> {
  const { db, settings } = services
  const address = getPublicUrl(services)
  const lines = [await describeData(services, isDatabaseNew)]
  if (!hasOwnAddress(settings))
    lines.push(
      `Links can’t be followed from other machines: HOST is ${settings.host}, and KEEPER_PUBLIC_URL isn’t set. Set it to the address people use; until then, put that address in place of ${address}.`,
    )
  lines.push(`Keeper is at ${address}`)
  if (!(await db.exists(db.selectFrom('role_grants').select('person_id').where('role', '=', 'super-admin')))) {
    const token = await createSetupLink(services)
    lines.push(`Open this link within a day to set up Keeper; it works once: ${address}/register?setup=${token}`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function describeData({ db, settings }: Services, isNew: boolean): Promise<string> {
  const kind = isNew ? 'a new, empty database' : 'the existing database'
  if (db.engine === 'sqlite') return `Data is in ${kind} ${join(settings.dataDir, 'data.db')}`
  // Asks the database itself: the address contains the password, and variables can provide parts of it.
  const { rows } = await db.write(
    sql<{
      name: string
      role: string
      address: string | null
    }>`select current_database() as name, current_user as role,
      host(inet_server_addr()) || ':' || inet_server_port() as address`,
  )
  const { name = '', role = '', address = null } = rows[0] ?? {}
  return `Data is in ${kind} "${name}" of PostgreSQL at ${address ?? 'a local socket'}, as "${role}"; files are in ${settings.dataDir}`
}
