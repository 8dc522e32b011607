import type { Database } from '#server/db/database.ts'
import { getNetwork, type NodeBindings } from '#server/http/client-address.ts'
import { getPublicHostName, normalizeHostName, type Site } from '#server/http/host-check.ts'
import { createNoSuchAddressProblem } from '#server/http/problem.ts'
import { toProblemResponse } from '#server/http/problem-response.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { ProcessBus } from '#server/live/process-bus.ts'
import type { Services } from '#server/services.ts'

const reloadIntervalMs = 30_000

export class CustomHosts {
  #hosts = new Map<string, Site>()
  #lastRequested = 0
  #lastApplied = 0
  readonly #bus: ProcessBus

  constructor(bus = new ProcessBus()) {
    this.#bus = bus
  }

  find(hostname: string): Site | undefined {
    return this.#hosts.get(hostname)
  }

  /** Call after a committed change; notifies other processes. */
  async loadChanged(db: Database): Promise<void> {
    this.#bus.send({ kind: 'hosts-changed' })
    await this.load(db)
  }

  async load(db: Database): Promise<void> {
    this.#lastRequested += 1
    const requestNumber = this.#lastRequested
    const rows = await db
      .selectFrom('domains')
      .select(['id', 'custom_domain'])
      .where('custom_domain_verified', '=', true)
      .where('custom_domain', 'is not', null)
      .execute()
    // The load that started last wins, in whatever order concurrent ones finish.
    if (requestNumber < this.#lastApplied) return
    this.#lastApplied = requestNumber
    this.#hosts = new Map(rows.map((row) => [row.custom_domain as string, { domainId: row.id }]))
  }
}

export async function syncCustomHosts({ customHosts, db, log, bus }: Services): Promise<() => void> {
  const load = () =>
    void customHosts.load(db).catch((error: unknown) => log.error({ err: error }, 'custom domains could not be loaded'))
  const unsubscribers = [bus.on('hosts-changed', load), bus.onMissed(load)]
  await customHosts.load(db)
  const timer = setInterval(load, reloadIntervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

/** The TLS proxy asks in every handshake whether Keeper serves a name, so the answer comes from memory. Only a local proxy gets one; everyone else gets a 404. */
export function answerTlsRequest(services: Services, request: Request, bindings: NodeBindings | undefined): Response {
  const names = new URL(request.url).searchParams.getAll('domain')
  if (!isLocalProxy(request, bindings)) return toProblemResponse(services, request, createNoSuchAddressProblem())
  const name = names.length === 1 ? normalizeHostName(names[0] ?? '') : ''
  return new Response(null, { status: isServed(services, name) ? 200 : 404, headers: apiHeaders })
}

function isServed({ settings, customHosts }: Services, name: string): boolean {
  if (name === '') return false
  return customHosts.find(name) !== undefined || getPublicHostName(settings) === name
}

function isLocalProxy(request: Request, bindings: NodeBindings | undefined): boolean {
  // `getNetwork` shortens IPv6 addresses, so `::1` is compared as received.
  const peer = getNetwork(bindings?.incoming?.socket.remoteAddress ?? '')
  if (!/^127\./.test(peer) && bindings?.incoming?.socket.remoteAddress !== '::1') return false
  return ![...request.headers.keys()].some((name) => forwardingHeaders.has(name) || name.startsWith('x-forwarded-'))
}

const forwardingHeaders = new Set(['forwarded', 'via', 'x-real-ip'])
