import { trustCertificates } from '../http/trusted-certificates.ts'
import { routeThroughProxy } from '../settings/outgoing-proxy.ts'
import type { Settings } from '../settings/settings.ts'

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
