import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { openTunnel, TunnelRefused } from './outgoing-proxy.ts'
import { isPublicAddress } from './public-address.ts'
import { textOfHtml } from './text-of-html.ts'

const wholeMs = 5000
const mostBytes = 1024 * 1024
const readableTypes = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/xhtml\+xml)$/

export interface Fetched {
  /** Of HTML, its text alone. */
  text: string
  /** Such as `text/html`. */
  type: string
}

interface EgressOptions {
  /** Host names that may be asked; `*.example.com` for all below one, `*` for every public one. */
  hosts: readonly string[]
  signal: AbortSignal
  ports?: readonly number[]
  /** Every address of a name. */
  resolve?(host: string): Promise<string[]>
  mayConnect?(address: string): boolean
  /** The proxy that stands before an address; left out or `null`: none. */
  findProxy?(address: URL): string | null
}

/**
 * Reads an address that somebody outside chose. Every address of its name is checked, and the connection goes to the
 * one that was checked, through a proxy too, so a name that answers differently the second time gains nothing. No
 * redirects, ports 80 and 443, 5 s and 1 MB decoded at most.
 *
 * @throws Error whose message says what was wrong and may be shown
 */
export async function safeFetch(address: string, options: EgressOptions): Promise<Fetched> {
  const { hosts, ports = [80, 443], mayConnect = isPublicAddress } = options
  if (hosts.length === 0)
    throw new Error(
      'Reading from the web is switched off. Who runs this server can name allowed hosts in KEEPER_FETCH_HOSTS.',
    )
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error('This is no address beginning with http:// or https://.')
  if (url.username || url.password) throw new Error('Addresses with a user name or password in them are not read.')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!ports.includes(port)) throw new Error(`Only the ports ${ports.join(' and ')} are read.`)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (!isAllowed(host, hosts)) throw new Error(`The host ${host} is not among those this server may read from.`)

  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(wholeMs)])
  const proxy = options.findProxy?.(url) ?? null
  try {
    const addresses = isIP(host) ? [host] : await orAborted(signal, (options.resolve ?? resolveName)(host))
    const [first] = addresses
    if (first === undefined || !addresses.every((each) => mayConnect(each)))
      throw new Refused(`The host ${host} is not a public one, so it is not read.`)
    return await readFrom(url, { address: first, port, host, proxy, signal })
  } catch (error) {
    if (options.signal.aborted) throw new Error('Reading was stopped.')
    if (signal.aborted) throw new Error(`${host} did not answer within ${wholeMs / 1000} seconds.`)
    if (error instanceof Refused || error instanceof TunnelRefused) throw new Error(error.message)
    if (proxy && (error as NodeJS.ErrnoException).syscall === 'getaddrinfo')
      throw new Error(
        `This server could not look up ${host}. Through a proxy, too, it reads only addresses it checked.`,
      )
    throw new Error(`${host} could not be reached.`)
  }
}

/** Told as it is; everything else is the network's and told as not reached. */
class Refused extends Error {}

function isAllowed(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase()
  return hosts.some((allowed) => {
    if (allowed === '*') return true
    return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed
  })
}

async function resolveName(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** A name server that keeps silent is waited for no longer than the signal says. */
function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

interface CheckedTarget {
  address: string
  port: number
  host: string
  proxy: string | null
  signal: AbortSignal
}

async function readFrom(url: URL, target: CheckedTarget): Promise<Fetched> {
  const { host } = target
  const response = await ask(url, target)
  try {
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400) {
      const elsewhere = headers.location ? ` (${headers.location.slice(0, 300)})` : ''
      throw new Refused(`${host} answers with a redirect to another address${elsewhere}. Redirects are not followed.`)
    }
    if (statusCode < 200 || statusCode >= 300) throw new Refused(`${host} answered with status ${statusCode}.`)
    const [type = '', ...parameters] = (headers['content-type'] ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    if (!readableTypes.test(type)) throw new Refused(`${host} answered with ${type || 'something'} that is no text.`)
    const text = decoded(await bodyOf(response), parameters)
    return { type, text: /html/.test(type) ? textOfHtml(text) : text }
  } finally {
    response.destroy()
  }
}

async function ask(url: URL, { address, port, host, proxy, signal }: CheckedTarget): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const servername = secure && !isIP(host) ? { servername: host } : {}
  const socket = proxy
    ? await openTunnel(proxy, `${isIP(address) === 6 ? `[${address}]` : address}:${port}`, signal)
    : null
  return new Promise((resolve, reject) => {
    const sent = (secure ? requestHttps : requestHttp)({
      host: address,
      port,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      // A connection of its own, never one that another request left open.
      ...(socket
        ? { createConnection: () => (secure ? connectTls({ socket, host: address, ...servername }) : socket) }
        : { agent: false, ...servername }),
      signal,
      headers: {
        host: url.host,
        accept: 'text/html, application/json, text/*;q=0.9',
        'accept-encoding': 'gzip, br',
        'user-agent': 'keeper',
      },
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end()
  })
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of unpacked(response)) {
    bytes += (chunk as Buffer).length
    if (bytes > mostBytes) throw new Refused('The document is larger than 1 MB.')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return response
  const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }
  const unpacker = unpackers[encoding as keyof typeof unpackers]
  if (!unpacker) throw new Refused(`The document is packed as ${encoding}, which is not read.`)
  const target = unpacker()
  response.once('error', (error) => target.destroy(error))
  return response.pipe(target)
}

function decoded(bytes: Buffer, parameters: string[]): string {
  const charset =
    parameters
      .find((part) => part.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes).replaceAll('\0', '').toWellFormed()
  } catch {
    throw new Refused(`The document is written in ${charset}, which is not read.`)
  }
}
