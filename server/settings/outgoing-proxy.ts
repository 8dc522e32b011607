import { type IncomingMessage, request as requestHttp, setGlobalProxyFromEnv } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { requireReadableCredentials } from './address-rules.ts'
import { BadSetting } from './environment.ts'
import { loopbackHosts } from './public-url.ts'
import type { Variable } from './setting-reader.ts'

export interface OutgoingProxy {
  /** For `http://` addresses, as a URL that may contain a password; `null`: direct. */
  http: string | null
  https: string | null
  /** Hosts called directly, in lower case: `host`, `.domain`, `host:port`, `10.0.0.0/8`, or `*` for all. */
  noProxy: string[]
}

export interface ProxyVariables {
  http: Variable | null
  https: Variable | null
  all: Variable | null
  noProxy: Variable | null
}

export function readOutgoingProxy(
  { http, https, all, noProxy: noProxyVariable }: ProxyVariables,
  addNote: (text: string) => void,
): OutgoingProxy {
  const [httpProxy, httpsProxy] = [http, https].map((variable) => variable && readProxyUrl(variable))
  const isSupported = !all || /^https?:\/\//i.test(all.value) || !all.value.includes('://')
  if (!isSupported && (!httpProxy || !httpsProxy))
    addNote('ALL_PROXY is ignored: Keeper only supports http:// and https:// proxies')
  const sharedProxy = isSupported ? all && readProxyUrl(all) : null
  const noProxy = (noProxyVariable?.value ?? '').toLowerCase().split(/[\s,]+/)
  return {
    http: httpProxy ?? sharedProxy,
    https: httpsProxy ?? sharedProxy ?? httpProxy ?? null,
    noProxy: noProxy.filter(Boolean).map((entry) => (isIPv6(entry) ? new URL(`http://[${entry}]`).hostname : entry)),
  }
}

/** Accepts `proxy.example:3128` like curl. Errors leave the value out, as it can contain a password. @throws BadSetting */
function readProxyUrl({ name, value }: Variable): string {
  const address = value.includes('://') ? value : `http://${value}`
  requireReadableCredentials(name, address.slice(address.indexOf('://') + 3))
  const url = URL.parse(address)
  if (!url?.hostname || !['http:', 'https:'].includes(url.protocol))
    throw new BadSetting(
      `${name} must be the address of an HTTP proxy, such as http://proxy.example:3128; other kinds (SOCKS) aren’t supported.`,
    )
  return url.href
}

/** Node's `no_proxy` doesn't support networks, so hosts of `remoteUrls` in an excluded network are named one by one. */
export function routeThroughProxy(proxy: OutgoingProxy, remoteUrls: string[], ownUrls: string[]): void {
  const { http, https, noProxy } = proxy
  if ((!http && !https) || noProxy.includes('*')) return
  const directHosts = remoteUrls
    .filter((address) => isDirect(new URL(address), proxy))
    .map((address) => new URL(address).host)
  const directNames = noProxy.filter((entry) => !entry.includes('/'))
  setGlobalProxyFromEnv({
    ...(http && { http_proxy: http }),
    ...(https && { https_proxy: https }),
    no_proxy: [
      ...loopbackHosts,
      ...ownUrls.map((address) => new URL(address).host),
      ...directNames,
      ...directHosts,
    ].join(','),
  })
}

export function findProxy(address: URL, proxy: OutgoingProxy): string | null {
  if (isDirect(address, proxy)) return null
  return address.protocol === 'https:' ? proxy.https : proxy.http
}

function isDirect({ hostname, port, protocol }: URL, { noProxy }: OutgoingProxy): boolean {
  const host = hostname.toLowerCase()
  if (isThisMachine(host)) return true
  const hostAndPort = `${host}:${port || (protocol === 'https:' ? 443 : 80)}`
  return noProxy.some((entry) => {
    if (entry === '*') return true
    if (entry.includes('/')) return isInNetwork(host, entry)
    const name = entry.replace(/^\*?\./, '')
    return [host, hostAndPort].some((calledAddress) => calledAddress === name || calledAddress.endsWith(`.${name}`))
  })
}

function isThisMachine(host: string): boolean {
  const address = stripBrackets(host)
  if (!isIP(address)) return host === 'localhost' || host.endsWith('.localhost')
  return (
    isInNetwork(host, '127.0.0.0/8') ||
    Object.values(networkInterfaces()).some((networkAddresses) =>
      networkAddresses?.some((networkAddress) => networkAddress.address === address),
    )
  )
}

function isInNetwork(host: string, network: string): boolean {
  const address = stripBrackets(host)
  const [, start = '', bits] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(network) ?? []
  if (!isIP(address) || isIP(address) !== isIP(start) || Number(bits) > (isIPv6(start) ? 128 : 32)) return false
  const family = isIPv6(start) ? 'ipv6' : 'ipv4'
  const blockList = new BlockList()
  blockList.addSubnet(start, Number(bits), family)
  return blockList.check(address, family)
}

export class TunnelRefused extends Error {}

/** Connects through the proxy to a checked `address:port`. @throws TunnelRefused, or network errors */
export function openTunnel(proxy: string, target: string, signal: AbortSignal): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxy)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return new Promise((resolve, reject) => {
    const connectRequest = (protocol === 'https:' ? requestHttps : requestHttp)({
      method: 'CONNECT',
      host: stripBrackets(hostname),
      port: port || (protocol === 'https:' ? 443 : 80),
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...(username && { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
    })
    connectRequest.once('connect', ({ statusCode }: IncomingMessage, socket: Socket, head: Buffer) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        return resolve(socket)
      }
      socket.destroy()
      reject(new TunnelRefused(`This server’s proxy refused the connection (status ${statusCode}).`))
    })
    connectRequest.once('error', reject)
    connectRequest.end()
  })
}
