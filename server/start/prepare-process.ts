import type { DatabaseSettings } from '../db/database.ts'
import { trustCertificates } from '../http/trusted-certificates.ts'
import { routeThroughProxy } from '../settings/outgoing-proxy.ts'
import type { Settings } from '../settings/settings.ts'

/** Sets up time zone, certificates and proxy, for the server and for every command that opens its data. */
export function prepareProcess(settings: Settings): void {
  const { timeZone, certificates, proxy, providers, mcpServers, bucket, customDomains, publicUrl, traceExport } =
    settings
  if (timeZone) process.env.TZ = timeZone
  trustCertificates(certificates)
  const calledUrls = [
    ...Object.values(providers).map(({ baseUrl }) => baseUrl),
    ...mcpServers.map(({ url }) => url),
    bucket?.endpoint,
    customDomains.vercel.baseUrl,
    traceExport?.endpoint,
  ].filter((address) => typeof address === 'string')
  routeThroughProxy(proxy, calledUrls, publicUrl ? [publicUrl] : [])
}

type DatabaseSettingNames = 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseCaFile'

export function toDatabaseSettings(settings: Pick<Settings, DatabaseSettingNames>): DatabaseSettings {
  const { dataDir, databaseUrl, databaseDirectUrl, databaseCaFile } = settings
  if (databaseUrl === null) return { dataDir }
  return { dataDir, databaseUrl, directUrl: databaseDirectUrl ?? undefined, caFile: databaseCaFile ?? undefined }
}
