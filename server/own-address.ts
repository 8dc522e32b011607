import type { Services } from './services.ts'

/** Where people reach this server, without a trailing slash; links in mails and invitations begin with it, never with a Host header. */
export function ownAddress({ settings }: Pick<Services, 'settings'>): string {
  return (
    settings.publicUrl ??
    `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${settings.port}`
  )
}
