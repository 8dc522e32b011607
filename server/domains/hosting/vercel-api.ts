import { truncate } from '#contract/truncate.ts'
import { HostingFailure } from './hosting-driver.ts'
import { hostingErrors } from './hosting-errors.ts'

export interface VercelAccess {
  baseUrl: string
  token: string | null
  projectId: string | null
  teamId: string | null
}

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export interface ProjectDomain {
  name: string
  apexName: string
  verified: boolean
  verification?: { type: string; domain: string; value: string; reason: string }[]
}

export interface DomainConfig {
  configuredBy: string | null
  misconfigured: boolean
  recommendedIPv4?: { rank: number; value: string[] }[]
  recommendedCNAME?: { rank: number; value: string }[]
  cnames?: string[]
  aValues?: string[]
  conflicts?: { name: string; type: string; value: string }[]
}

const maxMessageLength = 300

/** Vercel's REST API for one project's domains. Calls throw HostingFailure, which never contains the token. */
export function createVercelApi(access: VercelAccess, fetch: Fetch, timeoutMs: number) {
  const { token, projectId, teamId } = access

  async function call(
    method: string,
    path: string,
    query: Record<string, string> = {},
    body?: object,
  ): Promise<unknown> {
    if (!token || !projectId) throw new HostingFailure('403', hostingErrors['403'])
    const team = teamId ? { [teamId.startsWith('team_') ? 'teamId' : 'slug']: teamId } : {}
    const search = new URLSearchParams({ ...query, ...team })
    let response: Response
    let text: string
    try {
      response = await fetch(`${access.baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect must not receive the token.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      text = await response.text()
    } catch {
      throw new HostingFailure('DNS_CONFIG_ERROR', 'Vercel didn’t respond. Please try again.')
    }
    const parsed = parseJsonAnswer(text)
    if (response.ok && parsed !== undefined) return parsed
    throw toHostingFailure(response.status, parsed, token)
  }

  const projectPath = `projects/${encodeURIComponent(projectId ?? '')}`
  const getDomainPath = (name: string) => `${projectPath}/domains/${encodeURIComponent(name)}`
  return {
    add: (name: string) => call('POST', `/v10/${projectPath}/domains`, {}, { name }),
    read: async (name: string) => (await call('GET', `/v9/${getDomainPath(name)}`)) as ProjectDomain,
    config: async (name: string) =>
      (await call('GET', `/v6/domains/${encodeURIComponent(name)}/config`, {
        projectIdOrName: projectId ?? '',
      })) as DomainConfig,
    verify: async (name: string) => (await call('POST', `/v9/${getDomainPath(name)}/verify`)) as ProjectDomain,
    remove: (name: string) => call('DELETE', `/v9/${getDomainPath(name)}`),
  }
}

function parseJsonAnswer(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

function toHostingFailure(status: number, parsed: unknown, token: string): HostingFailure {
  const { code, message } = (parsed as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  if (status === 401 || status === 403 || code === 'forbidden') return new HostingFailure('403', hostingErrors['403'])
  if (status === 404 || code === 'not_found') return new HostingFailure('404', hostingErrors['404'])
  const failureMessage = typeof message === 'string' ? message : `Vercel responded with status ${status}.`
  return new HostingFailure(
    typeof code === 'string' ? code.slice(0, 100) : String(status),
    truncate(failureMessage.replaceAll(token, '…'), maxMessageLength),
  )
}
