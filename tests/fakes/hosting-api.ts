import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Host DNS as the provider sees it; `txt` belongs to `_vercel.<apex>`. */
export interface HostDns {
  a: string[]
  aaaa: string[]
  cname: string[]
  txt: string[]
  /** Authorities that CAA allows to issue certificates; empty allows any. */
  caa: string[]
}

export interface FakeHost {
  added: boolean
  verified: boolean
  /** Required TXT value; a new one for each add. */
  txtToken: string
  dns: HostDns
  /** `project` refuses the add, `account` requires the TXT record first. */
  otherOwner: 'none' | 'project' | 'account'
}

export interface HostingFault {
  /** Matches a part of `METHOD /path`; absent matches all requests. */
  contains?: string
  /** 0 sends no response. */
  status: number
  times?: number
  delayMs?: number
  /** Replaces the default error of the status. */
  error?: { code: string; message: string }
}

export interface HostingRequest {
  method: string
  /** Includes the query. */
  path: string
  authorization: string | undefined
  body: unknown
}

export interface HostingFake {
  /** Value for VERCEL_API_BASE_URL. */
  url: string
  /** The accepted token; mutable, like everything below. */
  token: string
  projectId: string
  requests: HostingRequest[]
  /** Status for adding an existing domain; the real API uses both. */
  duplicateAddStatus: 400 | 409
  /** The mutable state of a host. */
  host(name: string): FakeHost
  /** Points the recommended A or CNAME record of the host at the provider. */
  pointHere(name: string): void
  fail(fault: HostingFault): void
  recover(): void
  close(): Promise<void>
}

export const recommendedIp = '216.198.79.1'
export const recommendedCname = 'd1d4fc829fe7bc7c.vercel-dns-017.com.'

/**
 * The hosting provider's REST API for one project's domains. Controlled by the object, or over HTTP: PUT
 * `/__fake/domain/{host}`, POST `/__fake/fail`, POST `/__fake/recover`, GET `/__fake/requests`.
 */
export async function startHostingFake({
  port = 0,
  token = 'vercel-token-of-the-fake-0Zq7',
  projectId = 'prj_keeperFake',
}: {
  port?: number
  token?: string
  projectId?: string
} = {}): Promise<HostingFake> {
  const hosts = new Map<string, FakeHost>()
  const pendingResponses = new Set<ServerResponse>()
  let faults: HostingFault[] = []
  let tokenCount = 0

  const fake: HostingFake = {
    url: '',
    token,
    projectId,
    requests: [],
    duplicateAddStatus: 400,
    host(name) {
      const fakeHost = hosts.get(name) ?? createHost(name)
      hosts.set(name, fakeHost)
      return fakeHost
    },
    pointHere(name) {
      const { dns } = fake.host(name)
      if (getApexDomain(name) === name) Object.assign(dns, { a: [recommendedIp], cname: [] })
      else Object.assign(dns, { a: [], cname: [recommendedCname] })
    },
    fail: (fault) => void faults.push({ ...fault }),
    recover: () => {
      faults = []
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        for (const response of pendingResponses) response.destroy()
      }),
  }

  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(port, '127.0.0.1', ready))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake

  function createHost(name: string): FakeHost {
    const dns = { a: [], aaaa: [], cname: [], txt: [], caa: [] }
    return { added: false, verified: false, txtToken: createTxtToken(name), dns, otherOwner: 'none' }
  }

  function createTxtToken(name: string): string {
    return createHash('sha256').update(`${name}|${++tokenCount}`).digest('hex').slice(0, 20)
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { method = 'GET', url = '/' } = incoming
    const body = text ? JSON.parse(text) : undefined
    if (url.startsWith('/__fake/')) return respondJson(response, 200, handleControl(method, url, body))
    const { authorization } = incoming.headers
    fake.requests.push({ method, path: url, authorization, body })
    const fault = faults.find(({ contains = '', times = 1 }) => times > 0 && `${method} ${url}`.includes(contains))
    if (fault) {
      if (fault.times !== undefined) fault.times--
      if (fault.delayMs) await delay(fault.delayMs)
      if (fault.status === 0) return void pendingResponses.add(response)
      return respondWithFault(response, fault)
    }
    const [status, responseBody] = handle(method, new URL(url, fake.url), authorization, body)
    respondJson(response, status, responseBody)
  }

  function handleControl(method: string, url: string, body: unknown): unknown {
    const [, action, name = ''] = /^\/__fake\/(\w+)\/?(.*)$/.exec(url) ?? []
    if (action === 'requests') return fake.requests
    if (action === 'recover') fake.recover()
    else if (action === 'fail') fake.fail(body as HostingFault)
    else if (action === 'domain' && method === 'PUT') {
      const { dns, ...state } = body as Partial<Omit<FakeHost, 'dns'>> & { dns?: Partial<HostDns> }
      const host = Object.assign(fake.host(name), state)
      Object.assign(host.dns, dns)
    }
    return action === 'domain' ? fake.host(name) : {}
  }

  function handle(
    method: string,
    { pathname }: URL,
    authorization: string | undefined,
    body: unknown,
  ): HostingResponse {
    if (authorization !== `Bearer ${fake.token}`)
      return createRefusal(403, 'forbidden', 'Not authorized', authorization ? { invalidToken: true } : {})
    const config = /^\/v6\/domains\/([^/]+)\/config$/.exec(pathname)
    if (config && method === 'GET') return [200, toDomainConfig(decodeURIComponent(config[1] ?? ''))]
    const [, version, project, name, verb] =
      /^\/v(9|10)\/projects\/([^/]+)\/domains(?:\/([^/]+))?(\/verify)?$/.exec(pathname) ?? []
    if (!version) return createRefusal(404, 'not_found', 'The requested resource was not found')
    if (decodeURIComponent(project ?? '') !== fake.projectId)
      return createRefusal(404, 'not_found', 'Project not found.')
    if (name === undefined && method === 'POST' && version === '10') return add((body as { name?: string })?.name ?? '')
    const host = decodeURIComponent(name ?? '')
    if (!host || version !== '9') return createRefusal(405, 'method_unknown', 'Method not allowed')
    const fakeHost = fake.host(host)
    if (verb && method === 'POST') return verify(host, fakeHost)
    if (!fakeHost.added)
      return createRefusal(404, 'not_found', `The domain "${host}" is not assigned to "${projectId}".`)
    if (method === 'GET') return [200, toDomainView(host, fakeHost)]
    if (method !== 'DELETE') return createRefusal(405, 'method_unknown', 'Method not allowed')
    fakeHost.added = false
    fakeHost.verified = false
    return [200, {}]
  }

  function add(name: string): HostingResponse {
    if (!/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/.test(name))
      return createRefusal(400, 'bad_request', `The domain "${name}" is not valid.`)
    const host = fake.host(name)
    if (host.otherOwner === 'project')
      return createRefusal(
        409,
        'domain_already_in_use',
        `Cannot add ${name} since it's already assigned to another project.`,
        {
          domain: name,
        },
      )
    if (host.added)
      return createRefusal(
        fake.duplicateAddStatus,
        fake.duplicateAddStatus === 400 ? 'existing_project_domain' : 'domain_already_in_use',
        `Cannot add ${name} since it already exists on the project.`,
        { domain: name, projectId },
      )
    Object.assign(host, { added: true, verified: host.otherOwner === 'none', txtToken: createTxtToken(name) })
    return [200, toDomainView(name, host)]
  }

  function verify(name: string, host: FakeHost): HostingResponse {
    if (!host.added) return createRefusal(400, 'bad_request', `The domain "${name}" is not assigned to "${projectId}".`)
    if (host.otherOwner === 'project')
      return createRefusal(
        400,
        'existing_project_domain',
        `Domain ${name} was added to a different project. Please complete verification to add it to this project instead.`,
      )
    const expectedTxt = formatTxtRecord(name, host)
    if (!host.verified && !host.dns.txt.includes(expectedTxt))
      return createRefusal(
        400,
        'missing_txt_record',
        `Domain _vercel.${getApexDomain(name)} is missing required TXT Record "${expectedTxt}"`,
      )
    host.verified = true
    const { verification: _, ...view } = toDomainView(name, host)
    return [200, view]
  }

  function toDomainView(name: string, host: FakeHost) {
    const verification = {
      type: 'TXT',
      domain: `_vercel.${getApexDomain(name)}`,
      value: formatTxtRecord(name, host),
      reason: 'pending_domain_verification',
    }
    const nullFields = { redirect: null, redirectStatusCode: null, gitBranch: null, customEnvironmentId: null }
    return {
      name,
      apexName: getApexDomain(name),
      projectId,
      ...nullFields,
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_000_000,
      verified: host.verified,
      ...(host.verified ? {} : { verification: [verification] }),
    }
  }

  function toDomainConfig(name: string) {
    const { a, aaaa, cname, caa } = fake.host(name).dns
    const normalizeName = (value: string) => value.toLowerCase().replace(/\.$/, '')
    const pointsByName = cname.some((value) => normalizeName(value) === normalizeName(recommendedCname))
    const pointsByAddress = a.includes(recommendedIp)
    const conflicts = [
      ...aaaa.map((value) => ({ name, type: 'AAAA', value })),
      ...(pointsByAddress
        ? a.filter((value) => value !== recommendedIp).map((value) => ({ name, type: 'A', value }))
        : []),
      ...(caa.length > 0 && !caa.includes('letsencrypt.org')
        ? caa.map((value) => ({ name, type: 'CAA', value: `0 issue "${value}"` }))
        : []),
    ]
    const configuredByAddress = pointsByAddress ? 'A' : null
    return {
      configuredBy: pointsByName ? 'CNAME' : configuredByAddress,
      acceptedChallenges: pointsByName || pointsByAddress ? ['http-01'] : [],
      recommendedIPv4: [
        { rank: 1, value: [recommendedIp] },
        { rank: 2, value: ['76.76.21.21'] },
      ],
      recommendedCNAME: [
        { rank: 1, value: recommendedCname },
        { rank: 2, value: 'cname.vercel-dns.com.' },
      ],
      misconfigured: !(pointsByName || pointsByAddress) || conflicts.length > 0,
      serviceType: 'external',
      nameservers: ['ns1.registrar.example', 'ns2.registrar.example'],
      cnames: cname,
      aValues: a,
      conflicts,
      ipStatus: null,
    }
  }
}

type HostingResponse = [status: number, body: unknown]

function formatTxtRecord(name: string, { txtToken }: FakeHost): string {
  return `vc-domain-verify=${name},${txtToken}`
}

/** Two labels, or three below country codes with a second-level registry. */
function getApexDomain(name: string): string {
  const labels = name.split('.')
  return labels.slice(/^(?:co|com|org|ac)\.[a-z]{2}$/.test(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}

function createRefusal(status: number, code: string, message: string, extraFields: object = {}): HostingResponse {
  return [status, { error: { code, message, ...extraFields } }]
}

function respondWithFault(response: ServerResponse, { status, error }: HostingFault): void {
  if (status >= 300 && status < 400) return void response.writeHead(status, { location: '/elsewhere' }).end()
  const defaultError =
    status === 429
      ? {
          code: 'rate_limited',
          message: 'Rate limit exceeded',
          limit: { remaining: 0, reset: 1, resetMs: 1, total: 1 },
        }
      : { code: 'internal_server_error', message: 'An unexpected internal error occurred' }
  respondJson(response, status, { error: error ?? defaultError })
}

function respondJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
