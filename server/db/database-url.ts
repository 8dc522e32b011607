import { accessSync, constants, readFileSync } from 'node:fs'
import type pg from 'pg'
import { trimEndMatching } from '#contract/linear-text.ts'
import { DatabaseUnusable } from './database-errors.ts'

export type AddressSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL'

export interface PostgresAddress {
  setting: AddressSetting
  /** `host:port/database`, for messages. */
  serverName: string
  config: Pick<pg.ClientConfig, 'connectionString'>
}

/** The driver treats all of these as verify-full. */
const strictModes = ['prefer', 'require', 'verify-ca', 'verify-full']

/** @throws DatabaseUnusable; messages don’t quote the address, which could be split at the wrong place and reveal the password */
export function readPostgresAddress(setting: AddressSetting, url: string, caFile?: string): PostgresAddress {
  const parsed = parseAddress(setting, url)
  assertSchemaParameter(setting, parsed.searchParams)
  setTlsMode(parsed, caFile)
  return {
    setting,
    serverName: `${parsed.host}${parsed.pathname}`,
    config: { connectionString: parsed.href },
  }
}

const encodedForms: Record<string, string> = { '/': '%2F', '?': '%3F', '#': '%23' }

function parseAddress(setting: AddressSetting, url: string): URL {
  const afterScheme = /^postgres(?:ql)?:\/\/(.*)$/s.exec(url)?.[1]
  if (afterScheme === undefined)
    throw new DatabaseUnusable(`${setting} isn’t an address like postgres://user:password@host:5432/keeper.`)
  const credentials = afterScheme.slice(0, Math.max(0, afterScheme.lastIndexOf('@')))
  const delimiter = /[/?#]/.exec(credentials)?.[0]
  if (delimiter && !isOnlyInParameters(afterScheme))
    throw new DatabaseUnusable(
      `The user or password in ${setting} has the character “${delimiter}”. Write it as ${encodedForms[delimiter]}.`,
    )
  const parsed = URL.parse(url.replace(/%(?![\da-f]{2})/gi, '%25'))
  if (!parsed || parsed.hash !== '')
    throw new DatabaseUnusable(
      `${setting} isn’t an address like postgres://user:password@host:5432/keeper. In the user and password, “@” is written %40, “/” %2F, “#” %23 and “%” %25.`,
    )
  parsed.pathname = trimEndMatching(parsed.pathname, /\//)
  return parsed
}

/** Whether every “@” after the host is in a parameter, such as `?options=…`. */
function isOnlyInParameters(afterScheme: string): boolean {
  const [, path = '', query = ''] = /^[^/?#]*([^?#]*)(?:\?([^#]*))?/.exec(afterScheme) ?? []
  return !path.includes('@') && query !== '' && query.split('&').every((pair) => /^[a-z_]+=/i.test(pair))
}

/** Other drivers choose the schema with these parameters; ignored, they would lead to a new, empty database. */
function assertSchemaParameter(setting: AddressSetting, parameters: URLSearchParams): void {
  for (const name of ['schema', 'currentSchema', 'search_path']) {
    const schema = parameters.get(name)
    if (schema && schema !== 'public')
      throw new DatabaseUnusable(
        `${setting} has the parameter “${name}”, which PostgreSQL doesn’t know. Write options=-c%20search_path%3D${encodeURIComponent(schema)} instead.`,
      )
  }
}

/**
 * The driver warns about all strict modes except verify-full, so that is what it gets. Exception: with an authority file,
 * verify-ca doesn’t check the name, as in libpq.
 */
function setTlsMode(address: URL, caFile: string | undefined): void {
  const parameters = address.searchParams
  const mode = parameters.get('sslmode') ?? (caFile ? 'verify-full' : undefined)
  if (caFile && mode !== 'disable' && !parameters.has('sslrootcert')) parameters.set('sslrootcert', caFile)
  const authorityFile = parameters.get('sslrootcert')
  if (authorityFile && authorityFile !== 'system') assertCertificates(authorityFile)
  if (mode === undefined || parameters.get('uselibpqcompat') === 'true') return
  if (mode === 'verify-ca' && authorityFile) parameters.set('uselibpqcompat', 'true')
  parameters.set('sslmode', strictModes.includes(mode) && !parameters.has('uselibpqcompat') ? 'verify-full' : mode)
}

function assertCertificates(file: string): void {
  try {
    accessSync(file, constants.R_OK)
    if (readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE')) return
  } catch (error) {
    throw new DatabaseUnusable(`The certificate file ${file} can’t be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  throw new DatabaseUnusable(`The certificate file ${file} has no certificate in PEM form (“-----BEGIN CERTIFICATE”).`)
}
