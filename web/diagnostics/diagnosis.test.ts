import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Capture } from './capture.ts'
import { CheckFailed, type CheckResult, CheckSkipped, type DiagnosticCheck, type DiagnosticOutcome } from './check.ts'
import { redact, toPlainAddress } from './redact.ts'
import { formatReport, getVerdict, summarize } from './report.ts'
import { allChecks, type LogLevel, runChecks } from './run-checks.ts'
import { createServerRequester, NoAnswer } from './server-request.ts'

type Verdict = ReturnType<typeof getVerdict>

const token = 'kps_canaryTokenOfAda'
const ada = { id: 'a1', name: 'Ada', nickname: 'ada', email: 'ada@willowbrook.example' }
const listenersByType = new Map<string, Set<unknown>>()

beforeEach(() => {
  listenersByType.clear()
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'keeper_token' ? token : null) })
  vi.stubGlobal('location', {
    href: 'https://keeper.example/debug',
    origin: 'https://keeper.example',
    pathname: '/debug',
  })
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('addEventListener', (type: string, listener: unknown) => {
    listenersByType.set(type, (listenersByType.get(type) ?? new Set()).add(listener))
  })
  vi.stubGlobal('removeEventListener', (type: string, listener: unknown) => listenersByType.get(type)?.delete(listener))
})

const result = (outcome: DiagnosticOutcome, name = 'Ping', detail = {}): CheckResult => ({
  id: name,
  name,
  outcome,
  message: 'told',
  meaning: 'means',
  remedy: null,
  ms: 1,
  detail,
})

const completeRun = { totalChecks: 23, signedIn: true, stopped: false }

describe('the summary', () => {
  it('counts passed and failed checks, not skipped and optional ones', () => {
    const results = (['passed', 'passed', 'failed', 'skipped', 'tolerated'] as const).map((outcome) => result(outcome))
    expect(summarize(results)).toEqual({
      total: 3,
      passed: 2,
      failed: 1,
      score: '2/3',
      percentage: 66.7,
      overallStatus: 'PARTIAL_PASS',
      skipped: 1,
      tolerated: 1,
    })
  })

  it.each([
    [['passed', 'skipped', 'tolerated'], 'ALL_PASS'],
    [['passed', 'failed'], 'PARTIAL_PASS'],
    [['failed', 'failed', 'skipped'], 'ALL_FAIL'],
  ] as [DiagnosticOutcome[], string][])('rates %j as %s', (outcomes, status) => {
    expect(summarize(outcomes.map((outcome) => result(outcome))).overallStatus).toBe(status)
  })

  it('is partial when only browser checks passed, and says that no server check did', () => {
    const results = [{ ...result('passed', 'Browser'), inBrowser: true }, result('failed')]
    expect(summarize(results).overallStatus).toBe('PARTIAL_PASS')
    expect(getVerdict(results, completeRun).headline).toBe('No server check passed.')
    expect(getVerdict([...results, result('passed')], completeRun).headline).toBe('2 of 3 checks passed.')
  })

  it('has a headline for all, some and no passed checks', () => {
    expect(getVerdict([result('passed'), result('tolerated'), result('tolerated')], completeRun)).toEqual<Verdict>({
      headline: '1 check passed.',
      notes: '2 optional provider tests didn’t work.',
    })
    expect(
      getVerdict(
        [result('passed'), result('failed', 'Chat with kip'), result('failed', 'Together AI test')],
        completeRun,
      ),
    ).toEqual<Verdict>({
      headline: '1 of 3 checks passed.',
      notes: '2 checks need attention: Chat with kip and Together AI test.',
    })
    expect(getVerdict([result('failed', 'CORS'), result('skipped')], completeRun)).toEqual<Verdict>({
      headline: 'No server check passed.',
      notes: 'One check needs attention: CORS. 1 check skipped.',
    })
  })

  it('says where the checks stopped and how many need sign-in', () => {
    const options = { ...completeRun, stopped: true }
    expect(getVerdict([result('passed'), result('passed')], options)).toEqual<Verdict>({
      headline: 'Stopped after 2 of 23 checks; 2 passed.',
      notes: '',
    })
    expect(getVerdict([result('passed'), result('failed')], options).headline).toBe(
      'Stopped after 2 of 23 checks; 1 passed, 1 failed.',
    )
    expect(
      getVerdict([result('passed'), result('skipped')], { totalChecks: 2, signedIn: false, stopped: false }),
    ).toEqual<Verdict>({
      headline: '1 check a visitor can run passed.',
      notes: '1 needs sign-in.',
    })
  })
})

describe('redaction', () => {
  it.each([
    [`failed with ${token}`, 'failed with [removed]'],
    ['Authorization: Bearer abc.def', 'Authorization: [removed]'],
    ['key sk-ant-canary0123 refused', 'key [removed] refused'],
    ['canary0personal0elevenlabs0Zq84 refused', '[removed] refused'],
    ['ben@willowbrook.example wrote', '[an email] wrote'],
    [
      `Unexpected token 'd', "dear diary, today"... is not valid JSON`,
      `Unexpected token 'd', "…"... is not valid JSON`,
    ],
    ['GET https://keeper.example/api/x?q=diary failed', 'GET https://keeper.example/api/x failed'],
    ['GET /api/keeper/search?q=diary failed', 'GET /api/keeper/search failed'],
    ['The page failed: TypeError: x is undefined', 'The page failed: TypeError: x is undefined'],
  ])('%s becomes %s', (text, clean) => {
    expect(redact(text)).toBe(clean)
  })

  it('keeps only the path of an address', () => {
    expect(toPlainAddress('/api/kip/agents?search=diary#x')).toBe('/api/kip/agents')
    expect(toPlainAddress('https://ada:pw@other.example/a?b')).toBe('https://other.example/a')
    expect(toPlainAddress('blob:https://keeper.example/1-2')).toBe('blob:')
  })

  it('limits the report and removes secrets at any depth', () => {
    const detail = { a: [{ b: `Bearer ${token}` }], long: 'x '.repeat(5000), run_id: 'a'.repeat(32) }
    const text = formatReport({
      results: [result('failed', 'Ping', detail)],
      logs: Array.from({ length: 2000 }, () => ({ at: '', level: 'info' as const, text: 'x'.repeat(200) })),
      captured: { errors: [], requests: [] },
      user: ada,
      criticalError: null,
      stopped: false,
    })
    expect(text).not.toContain(token)
    expect(text).toContain('a'.repeat(32))
    expect(text.length).toBeLessThan(200_000)
    const report = JSON.parse(text)
    expect(Object.keys(report).join(' ')).toBe(
      'timestamp platform version environment user summary tests logs consoleErrors networkRequests',
    )
    expect(report.user).toEqual({ ...ada, token: 'present' })
    expect(report.logs).toHaveLength(500)
  })
})

describe('the capture', () => {
  const consoleError = vi.fn()
  beforeEach(() => {
    consoleError.mockReset()
    vi.spyOn(console, 'error').mockImplementation(consoleError)
  })
  afterEach(() => vi.restoreAllMocks())

  it('records and passes on errors and requests, then restores the originals', async () => {
    const write = console.error
    const fetchMock = vi.fn(async () => new Response(null, { status: 204 }))
    vi.stubGlobal('fetch', fetchMock)
    const capture = new Capture()
    console.error('It failed', new TypeError('no'), { text: 'private' })
    await fetch('/api/x?search=private', { method: 'POST', body: 'private' })
    expect(capture.errors.map(({ text }) => text)).toEqual(['It failed TypeError: no [Object]'])
    expect(capture.requests).toMatchObject([{ method: 'POST', address: '/api/x', status: 204 }])
    expect(consoleError).toHaveBeenCalledTimes(1)
    expect(fetchMock).toHaveBeenCalledTimes(1)
    expect(JSON.stringify([capture.errors, capture.requests])).not.toContain('private')

    capture.restore()
    expect(console.error).toBe(write)
    expect(globalThis.fetch).toBe(fetchMock)
    expect([...listenersByType.values()].every((listeners) => listeners.size === 0)).toBe(true)
    console.error('later')
    expect(capture.errors).toHaveLength(1)
  })

  it('keeps a later wrapper and records nothing more through it', () => {
    const capture = new Capture()
    const captured = console.error
    const wrapper = (...args: unknown[]) => captured(...args)
    console.error = wrapper
    capture.restore()
    expect(console.error).toBe(wrapper)
    console.error('later')
    expect(capture.errors).toEqual([])
    expect(consoleError).toHaveBeenCalledTimes(1)
  })
})

describe('the checks', () => {
  const check = (id: string, run: DiagnosticCheck['run'], more: Partial<DiagnosticCheck> = {}): DiagnosticCheck => ({
    id,
    name: id,
    meaning: 'm',
    remedy: 'Do this.',
    run,
    ...more,
  })
  const good = async () => ({ message: 'good', detail: {} })

  async function executeChecks(checks: DiagnosticCheck[], options: { user?: typeof ada; permissions?: never[] } = {}) {
    const results: CheckResult[] = []
    const logs: { level: LogLevel; text: string }[] = []
    const criticals: string[] = []
    const { signal } = new AbortController()
    const { user = null, permissions } = options
    const context = { request: createServerRequester(signal), user, permissions, signal }
    await runChecks(checks, context, {
      log: (level, text) => logs.push({ level, text }),
      checkStarted: () => undefined,
      checkFinished: (checkResult) => results.push(checkResult),
      criticalError: (reason) => criticals.push(reason),
    })
    return { results, logs, criticals, outcomes: results.map(({ outcome }) => outcome) }
  }

  it('end with one of four outcomes, and a failure has a remedy', async () => {
    const refuse = async () => {
      throw new CheckSkipped('You need the permission "manage_api_keys" for this.')
    }
    const fail = async () => {
      throw new CheckFailed('It is damaged.', { integrity: 'damaged' })
    }
    const { results, outcomes, logs } = await executeChecks([
      check('good', good),
      check('needs sign-in', good, { needsSignIn: true }),
      check('refused', refuse),
      check('bad', fail),
      check('may fail', fail, { tolerated: true }),
      check('broken', async () => Promise.reject(undefined)),
    ])
    expect(outcomes).toEqual(['passed', 'skipped', 'skipped', 'failed', 'tolerated', 'failed'])
    expect(results[1]?.message).toBe('needs sign-in')
    expect(results[3]).toMatchObject({
      message: 'It is damaged.',
      remedy: 'Do this.',
      detail: { integrity: 'damaged' },
    })
    expect(logs).toContainEqual({ level: 'error', text: 'ERROR bad: It is damaged.' })
    expect(logs).toContainEqual({ level: 'error', text: 'ERROR Unknown error' })
  })

  it('do not run without the permission', async () => {
    const run = vi.fn(good)
    const keys = check('keys', run, { needsSignIn: true, permission: 'manage_api_keys' })
    const { results } = await executeChecks([keys], { user: ada, permissions: [] })
    expect(results[0]).toMatchObject({ outcome: 'skipped', message: 'needs the permission manage_api_keys' })
    expect(run).not.toHaveBeenCalled()
  })

  it('report a server outage once and then run only browser checks', async () => {
    const failingFetch = vi.fn(async () => {
      throw new TypeError('Failed to fetch')
    })
    vi.stubGlobal('fetch', failingFetch)
    const ping = allChecks.find(({ id }) => id === 'ping') as DiagnosticCheck
    const later = vi.fn(good)
    const checks = [ping, check('later', later), check('here', good, { inBrowser: true })]
    const { results, outcomes, criticals, logs } = await executeChecks(checks)
    expect(outcomes).toEqual(['failed', 'skipped', 'passed'])
    expect(results).toMatchObject([
      { message: 'The server couldn’t be reached.', remedy: null },
      { message: 'the server isn’t answering', remedy: null },
      { message: 'good', remedy: null },
    ])
    expect(summarize(results)).toMatchObject({ failed: 1, skipped: 1, overallStatus: 'PARTIAL_PASS' })
    expect(criticals).toEqual(['The server isn’t answering. Is it running, and is this the right address?'])
    expect(logs).toContainEqual({ level: 'info', text: 'later skipped: the server isn’t answering' })
    expect(logs.filter(({ text }) => text.includes('Is it running'))).toHaveLength(1)
    expect(later).not.toHaveBeenCalled()
    expect(failingFetch).toHaveBeenCalledTimes(2)
  })

  it('continue after a single lost answer', async () => {
    vi.stubGlobal('fetch', async () => new Response('{"ok":true}'))
    const lost = async () => {
      throw new NoAnswer('The server couldn’t be reached.')
    }
    const checks = [check('lost', lost), check('slow provider', lost, { tolerated: true }), check('later', good)]
    const { results, outcomes, criticals } = await executeChecks(checks)
    expect(outcomes).toEqual(['failed', 'tolerated', 'passed'])
    expect(results[0]?.remedy).toBe('Do this.')
    expect(criticals).toEqual([])
  })

  it('ping the server first', () => {
    const serverChecks = allChecks.filter(({ inBrowser }) => !inBrowser)
    expect(serverChecks[0]?.id).toBe('ping')
  })

  it('name the linked page in the remedy', () => {
    const named = allChecks.filter(({ remedyLink }) => remedyLink)
    expect(named.length).toBeGreaterThan(1)
    for (const { remedy, remedyLink } of named) expect(remedy).toContain(remedyLink?.linkText)
  })

  it('have a unique id, a meaning and a remedy', () => {
    expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length)
    for (const { meaning, remedy } of allChecks) expect(`${meaning}${remedy}`).toMatch(/\..*\.$/)
    const publicIds = allChecks.filter(({ needsSignIn }) => !needsSignIn).map(({ id }) => id)
    expect(publicIds.join(' ')).toBe('browser ping cors health platform-status server-facts themes')
  })
})
