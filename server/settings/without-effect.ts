import type { Environment } from './environment.ts'
import { hasOwnAddress } from './public-url.ts'
import { canBeInFile, type SettingReader } from './setting-reader.ts'
import type { Settings } from './settings.ts'

const settingAliases: Record<string, string> = {
  OPENAI_API_BASE: 'OPENAI_BASE_URL',
  OPENAI_API_BASE_URL: 'OPENAI_BASE_URL',
  OLLAMA_HOST: 'OPENAI_BASE_URL',
  ANTHROPIC_AUTH_TOKEN: 'ANTHROPIC_API_KEY',
  TOGETHER_AI_API_KEY: 'TOGETHER_API_KEY',
  ELEVEN_API_KEY: 'ELEVENLABS_API_KEY',
  XI_API_KEY: 'ELEVENLABS_API_KEY',
  LOG_LEVEL: 'KEEPER_LOG_LEVEL',
  TRUST_PROXY: 'KEEPER_TRUSTED_PROXIES',
}
const commandOnlyVariables = ['KEEPER_NEW_SECRET', 'KEEPER_NEW_SECRET_FILE', 'KEEPER_SERVICE_WORKER']
/** Node, npm and the PostgreSQL driver read these from the process, before or beside `.env`. */
const processOnlyPattern = /^(?:NODE_|UV_|PG[A-Z]+$|npm_|NO_COLOR$|FORCE_COLOR$)/i
/** Shorter names of other programs can resemble a setting by chance. */
const minMisspelledLength = 8
const maxMisspelledDistance = 2

/** Variables that look like settings and have no effect. In `.env`, which is Keeper's alone, that is any other name. */
export function findUnusedVariables(
  environment: Environment,
  usedNames: ReadonlySet<string>,
  fileNames: ReadonlySet<string>,
): string[] {
  const isSet = (name: string) => Boolean(environment[name]?.trim())
  const settings = [...usedNames].filter((name) => name === name.toUpperCase() && !name.endsWith('_FILE'))
  const explain = (name: string): string | undefined => {
    const alias = settingAliases[name]
    if (alias) return isSet(alias) ? undefined : `${name} has no effect; the setting is called ${alias}`
    const baseName = name.replace(/_FILE$/, '')
    if (baseName !== name && settings.includes(baseName) && !canBeInFile(baseName))
      return `${name} has no effect: ${baseName} can’t be read from a file, so set ${baseName} itself`
    const nearest = findNearest(name, settings)
    if (/^KEEPER[_-]/i.test(name))
      return `${name} isn’t a Keeper setting and has no effect; the nearest is ${nearest.name}`
    if (fileNames.has(name)) {
      if (processOnlyPattern.test(name)) return `${name} in .env has no effect; set it in the environment`
      const hint = nearest.distance <= maxMisspelledDistance ? `; the nearest is ${nearest.name}` : ''
      return `${name} in .env isn’t a Keeper setting and has no effect${hint}`
    }
    const isMisspelled =
      name.length >= minMisspelledLength && nearest.distance <= maxMisspelledDistance && !isSet(nearest.name)
    return isMisspelled ? `${name} isn’t a Keeper setting and has no effect; did you mean ${nearest.name}?` : undefined
  }
  return Object.keys(environment)
    .filter((name) => isSet(name) && !usedNames.has(name) && !commandOnlyVariables.includes(name))
    .flatMap((name) => explain(name) ?? [])
}

function findNearest(name: string, settings: readonly string[]): { name: string; distance: number } {
  const simplifiedName = simplify(name)
  const candidates = settings.map((setting) => ({
    name: setting,
    distance: countEdits(simplifiedName, simplify(setting)),
  }))
  return candidates.reduce((nearest, candidate) => (candidate.distance < nearest.distance ? candidate : nearest))
}

const simplify = (name: string) =>
  name
    .toUpperCase()
    .replace(/^KEEPER[_-]/, '')
    .replace(/[^A-Z0-9]/g, '')

/** The Levenshtein distance. */
function countEdits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1]
    for (let column = 0; column < to.length; column++)
      current.push(
        Math.min(
          current[column]! + 1,
          previous[column + 1]! + 1,
          previous[column]! + (character === to[column] ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous[to.length]!
}

/** Valid settings that can't work, or that another one switches off. */
export function listSettingsWithoutEffect(
  { publicUrl, host, smtpUrl, trustedProxies, timeZone, ...others }: Settings,
  reader: SettingReader,
): string[] {
  const { bucket, customDomains, oidc } = others
  const explainUnneeded = (names: string[], needed: string) =>
    names.filter((name) => reader.text(name) !== null).map((name) => `${name} has no effect without ${needed}`)
  return [
    ...(bucket ? [] : explainUnneeded(bucketOptions, 'S3_BUCKET')),
    ...(oidc ? [] : explainUnneeded(oidcOptions, 'KEEPER_OIDC_ISSUER')),
    ...(oidc && publicUrl === null
      ? ['KEEPER_OIDC_ISSUER has no effect without KEEPER_PUBLIC_URL, where the provider sends people back to']
      : []),
    ...(customDomains.driver === 'vercel' ? [] : explainUnneeded(vercelOptions, 'CUSTOM_DOMAIN_DRIVER=vercel')),
    ...(customDomains.driver === 'dns'
      ? []
      : explainUnneeded(['KEEPER_EDGE_HOST', 'KEEPER_EDGE_IPS'], 'CUSTOM_DOMAIN_DRIVER=dns')),
    ...(smtpUrl && !hasOwnAddress({ publicUrl, host })
      ? [`SMTP_URL has no effect without KEEPER_PUBLIC_URL: HOST is ${host}, so links in emails couldn’t be followed`]
      : []),
    ...(publicUrl?.startsWith('https:') && trustedProxies === 0
      ? [
          'KEEPER_PUBLIC_URL starts with https://, so a proxy is in front, but KEEPER_TRUSTED_PROXIES is 0: limits per address count all people as one',
        ]
      : []),
    ...(timeZone && !isTimeZone(timeZone)
      ? ['TZ isn’t the name of a time zone, such as Europe/Berlin, and has no effect']
      : []),
  ]
}

const bucketOptions = ['S3_ENDPOINT', 'S3_REGION', 'S3_PREFIX', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
const oidcOptions = [
  'CLIENT_ID',
  'CLIENT_SECRET',
  'LABEL',
  'SCOPES',
  'PRIVATE_HOSTS',
  'TRUST_EMAIL',
  'EMAIL_CLAIM',
  'NAME_CLAIM',
  'REQUIRED',
  'ROLES_CLAIM',
  'ROLES',
].map((name) => `KEEPER_OIDC_${name}`)
const vercelOptions = ['VERCEL_TOKEN', 'VERCEL_PROJECT_ID', 'VERCEL_TEAM_ID', 'VERCEL_API_BASE_URL']

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
