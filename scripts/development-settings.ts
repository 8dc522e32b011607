import type { Provider } from '#contract/agents/model-settings.ts'
import { builtInProviders, getProviderName } from '#contract/providers/registry.ts'

/**
 * What `npm run dev` lays over `.env`, which may be that of a Keeper in earnest: sample data must neither sweep its
 * bucket nor mail its people nor take down its domains nor write with its tools.
 */
export const developmentSettings = {
  DATABASE_URL: '',
  SMTP_URL: '',
  S3_BUCKET: '',
  S3_ENDPOINT: '',
  S3_REGION: '',
  S3_PREFIX: '',
  S3_ACCESS_KEY_ID: '',
  S3_SECRET_ACCESS_KEY: '',
  CUSTOM_DOMAIN_DRIVER: 'none',
  VERCEL_API_BASE_URL: '',
  VERCEL_TOKEN: '',
  VERCEL_PROJECT_ID: '',
  VERCEL_TEAM_ID: '',
  KEEPER_MCP_SERVERS: '',
  KEEPER_FETCH_HOSTS: '',
}

/** The providers that are asked in earnest while developing: those with a key or an address of one's own. */
export function realProviders(environment: Record<string, string | undefined>): Provider[] {
  return builtInProviders
    .filter(({ id }) => {
      const name = id.toUpperCase()
      return environment[`${name}_API_KEY`]?.trim() || environment[`${name}_BASE_URL`]?.trim()
    })
    .map(({ id }) => id)
}

/** What is printed of the outside when development starts. */
export function toldOfTheOutside(real: Provider[]): string {
  const fakes = 'Every outside service is a fake here'
  if (real.length === 0) return `${fakes}.`
  const names = new Intl.ListFormat('en').format(real.map((provider) => getProviderName(provider)))
  return `${fakes}, but ${names}: a key or an address is set, and what is sent there may cost.`
}
