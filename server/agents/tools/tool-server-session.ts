import type {
  AuthProvider,
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import * as z from 'zod/mini'
import type { Services } from '#server/services.ts'
import { createTolerantFetch, type RawResults } from './tolerant-fetch.ts'
import { describeToolServerFailure, ToolServerFailure } from './tool-server-failure.ts'

export interface ToolServerConnection {
  url: string
  headers: Record<string, string>
  fetch: typeof fetch
  auth?: AuthProvider
  secrets: readonly string[]
}

/** `legacy` until 2025-11-25, `modern` without sessions from 2026-07-28, `sse` the transport of 2024-11-05. */
export type ProtocolEra = 'legacy' | 'modern' | 'sse'

export interface CallLimits {
  /** Maximum silence during a call; progress notifications restart it. */
  silenceMs: number
  totalMs: number
}

const modernProtocolVersion = '2026-07-28'
const closeTimeoutMs = 2000
/** Limit for the older transport's stream, which other servers can open and leave silent. */
const sseTimeoutMs = 3000
/** The SDK requires a schema; read-tool-server.ts reads the content. */
const looseSchema = z.looseObject({})

export class ToolServerSession {
  readonly era: ProtocolEra
  readonly #client: Client
  readonly #transport: StreamableHTTPClientTransport | SSEClientTransport
  readonly #rawResults: RawResults
  readonly #secrets: readonly string[]

  private constructor(parts: {
    era: ProtocolEra
    client: Client
    transport: StreamableHTTPClientTransport | SSEClientTransport
    rawResults: RawResults
    secrets: readonly string[]
  }) {
    this.era = parts.era
    this.#client = parts.client
    this.#transport = parts.transport
    this.#rawResults = parts.rawResults
    this.#secrets = parts.secrets
  }

  /** Tries the common protocol first, then the newest and the oldest. @throws ToolServerFailure */
  static async open(
    connection: ToolServerConnection,
    { signal, era }: { signal: AbortSignal; era?: ProtocolEra | undefined },
  ): Promise<ToolServerSession> {
    try {
      if (era) return await ToolServerSession.#open(connection, signal, era)
      return await ToolServerSession.#open(connection, signal, 'legacy').catch(async (error: unknown) => {
        if (!isHandshakeRefusal(error)) throw error
        const sseSignal = AbortSignal.any([signal, AbortSignal.timeout(sseTimeoutMs)])
        // If no protocol works, the first failure is the most helpful.
        return ToolServerSession.#open(connection, signal, 'modern')
          .catch(() => ToolServerSession.#open(connection, sseSignal, 'sse'))
          .catch(() => Promise.reject(error))
      })
    } catch (error) {
      throw toToolServerFailure(error, signal, connection.secrets)
    }
  }

  static async #open(
    { url, headers, fetch, auth, secrets }: ToolServerConnection,
    signal: AbortSignal,
    era: ProtocolEra,
  ): Promise<ToolServerSession> {
    const sdk = await import('@modelcontextprotocol/client')
    const rawResults: RawResults = new Map()
    const client = new sdk.Client(
      { name: 'keeper', version: '1' },
      {
        capabilities: {},
        inputRequired: { autoFulfill: false },
        ...(era === 'modern' && { versionNegotiation: { mode: { pin: modernProtocolVersion } } }),
      },
    )
    client.onerror = () => {}
    const options = {
      fetch: createTolerantFetch(fetch, rawResults, { isAnsweredInStream: era === 'sse' }),
      requestInit: { headers },
      ...(auth && { authProvider: auth }),
    }
    const transport =
      era === 'sse'
        ? new sdk.SSEClientTransport(new URL(url), options)
        : new sdk.StreamableHTTPClientTransport(new URL(url), { ...options, onInsufficientScope: 'throw' })
    try {
      await rejectOnAbort(signal, client.connect(transport))
    } catch (error) {
      void client.close().catch(() => undefined)
      throw error
    }
    return new ToolServerSession({ era, client, transport, rawResults, secrets })
  }

  listTools(cursor: string | undefined, signal: AbortSignal): Promise<unknown> {
    return this.#request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, { signal })
  }

  callTool(
    name: string,
    args: Record<string, unknown>,
    { signal, silenceMs, totalMs }: CallLimits & { signal: AbortSignal },
  ): Promise<unknown> {
    return this.#request(
      { method: 'tools/call', params: { name, arguments: args } },
      {
        signal,
        timeout: silenceMs,
        maxTotalTimeout: totalMs,
        resetTimeoutOnProgress: true,
        onprogress: () => {},
      },
    )
  }

  close(): void {
    const termination = 'terminateSession' in this.#transport ? this.#transport.terminateSession() : Promise.resolve()
    const closing = rejectOnAbort(AbortSignal.timeout(closeTimeoutMs), termination)
    void closing
      .catch(() => undefined)
      .then(() => this.#client.close())
      .catch(() => undefined)
  }

  async #request(
    request: { method: 'tools/list' | 'tools/call'; params: Record<string, unknown> },
    options: NonNullable<Parameters<Client['request']>[2]> & { signal: AbortSignal },
  ): Promise<unknown> {
    try {
      const result = await rejectOnAbort(options.signal, this.#client.request(request, looseSchema, options))
      // Messages of a resumed connection are not stored in `#rawResults`.
      if (typeof result.raw !== 'number') return result
      const raw = this.#rawResults.get(result.raw)
      this.#rawResults.delete(result.raw)
      return raw
    } catch (error) {
      throw toToolServerFailure(error, options.signal, this.#secrets)
    }
  }
}

const refusalStatuses = [400, 404, 405, 406, 415, 422]

function isHandshakeRefusal(error: unknown): boolean {
  const { code, data } = error as { code?: unknown; data?: { status?: unknown } | undefined }
  const status = Number(data?.status)
  const isJsonRpcError = typeof code === 'number' && !(error instanceof DOMException)
  return isJsonRpcError || refusalStatuses.includes(status)
}

function toToolServerFailure(error: unknown, signal: AbortSignal, secrets: readonly string[]): ToolServerFailure {
  return signal.aborted ? new ToolServerFailure('The call was stopped.') : describeToolServerFailure(error, secrets)
}

export async function withListTimeout<T>(
  { settings }: Pick<Services, 'settings'>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { listMs } = settings.toolTimeouts
  const timeoutSignal = AbortSignal.timeout(listMs)
  try {
    return await work(AbortSignal.any([signal, timeoutSignal]))
  } catch (error) {
    if (!timeoutSignal.aborted || signal.aborted) throw error
    throw new ToolServerFailure(
      `The server didn’t answer within ${listMs / 1000} seconds. KEEPER_TOOL_TIMEOUT_LIST_SECONDS sets how long Keeper waits.`,
    )
  }
}

function rejectOnAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
