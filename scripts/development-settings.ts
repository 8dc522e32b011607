import type { Provider } from '#contract/agents/model-settings.ts'
import { builtInProviders, getProviderName } from '#contract/providers/registry.ts'

/** Overrides a production `.env`, so that development with sample data can't reach its bucket, people, domains or tools. */
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
  KEEPER_OIDC_ISSUER: '',
  KEEPER_OIDC_CLIENT_ID: '',
  KEEPER_MCP_SERVERS: '',
  KEEPER_FETCH_HOSTS: '',
  KEEPER_IMPORT_HOSTS: '',
}

export function findRealProviders(environment: Record<string, string | undefined>): Provider[] {
  return builtInProviders
    .filter(({ id }) => {
      const name = id.toUpperCase()
      return environment[`${name}_API_KEY`]?.trim() || environment[`${name}_BASE_URL`]?.trim()
    })
    .map(({ id }) => id)
}

export function describeExternalServices(realProviders: Provider[]): string {
  const fakes = 'All external services are fakes here'
  if (realProviders.length === 0) return `${fakes}.`
  const names = new Intl.ListFormat('en').format(realProviders.map((provider) => getProviderName(provider)))
  return `${fakes}, except ${names}: a key or base URL is set, so calls can cost money.`
}
