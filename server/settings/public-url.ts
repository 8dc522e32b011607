import type { Services } from '../services.ts'

/** The server's public base URL without a trailing slash. Links in emails use it, never a Host header. */
export function getPublicUrl({ settings }: Pick<Services, 'settings'>): string {
  return (
    settings.publicUrl ??
    `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${settings.port}`
  )
}
