/// <reference lib="dom" />
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from '@playwright/test'
import { report } from '../bench/measure.ts'
import { startEnginesWithoutRunner } from '../tests/engines.ts'
import { listQueryPaths, paths, resolvePath } from '../tests/journeys/all-routes.ts'
import { createPermissionWorld } from '../tests/permission-matrix-world.ts'
import { customHost, serveBuilt, signInAs, startBrowser } from './browser/keeper-in-browser.ts'
import { closeAll, findOpeners, goTo, press, settle } from './browser/walk.ts'
import { findLackingHeaders, requestAllEndpoints } from './content-policy/header-matrix.ts'
import { findDifferences, findHighRisks } from './content-policy/rate-policy.ts'
import { sendPayloads } from './script-injection/fill.ts'
import { fillExtras, otherTexts } from './script-injection/hostile-extras.ts'
import { createHostileWorld } from './script-injection/hostile-world.ts'
import { listTextFields } from './script-injection/text-fields.ts'

// No page violates its Content Security Policy in any state. `--only=/library` for some pages, `--no-openers` without openers.

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, openers: { type: 'boolean', default: true } },
  allowNegative: true,
})
const stopEngines = await startEnginesWithoutRunner()
const hostile = await createHostileWorld()
const { world } = hostile
const { services } = world.app
const site = await serveBuilt(services)
const browser = await startBrowser()
const ada = await world.app.as('ada')
const ben = await world.app.as('ben')
const fields = listTextFields()
const filled = await sendPayloads(world, fields, [0], new Map())
const { names, boardIds } = await fillExtras(hostile, filled, [0], (name) => fields.length + otherTexts.indexOf(name))
const violations: string[] = []
const headerProblems: string[] = []
const screens = new Set<string>()
let [visitCount, openedCount, responseCount] = [0, 0, 0]
let currentScreen = ''

async function createContext(url: string, contextViolations: string[]): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', serviceWorkers: 'block' })
  context.setDefaultTimeout(8000)
  await context.exposeFunction('reportToGate', (violation: string) =>
    contextViolations.push(`${currentScreen}: ${violation}`),
  )
  await context.addInitScript(() => {
    const reportViolation = (window as unknown as { reportToGate(violation: string): void }).reportToGate
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample, sourceFile }) =>
      reportViolation(`${violatedDirective} refused ${blockedURI} ${sample} ${sourceFile}`),
    )
  })
  context.on('response', (response) => {
    if (!response.url().startsWith(`${url}/`) || response.status() === 0) return
    if (response.headers()['x-gate']) return
    responseCount++
    const headers = response.headers()
    const lacking = findLackingHeaders(response.url(), headers).filter(
      (lackingHeader) => !lackingHeader.startsWith('strict-') || url === site.url,
    )
    for (const lackingHeader of lacking) headerProblems.push(`${response.status()} ${response.url()}: ${lackingHeader}`)
  })
  return context
}

async function visitPage(page: Page, address: string, withOpeners: boolean): Promise<void> {
  if (!address.includes(values.only)) return
  visitCount++
  await goTo(page, address)
  screens.add(address)
  if (!withOpeners || !values.openers) return
  for (const opener of await findOpeners(page)) {
    if (await press(page, opener)) openedCount++
    await closeAll(page)
    if (new URL(page.url()).pathname + new URL(page.url()).search !== address) await goTo(page, address)
  }
}

const visitorsOnly = ['/', '/login', '/register']
const signedInPaths = [
  ...paths.filter((path) => !visitorsOnly.includes(path)).map((path) => resolvePath(path, names)),
  ...listQueryPaths(names),
  ...boardIds.flatMap((id) => [`/studio/board-studio?board=${id}`, `/studio/board-studio?board=${id}&tab=preview`]),
  `/keeper/${names.id}/journeys?journey=${names.journeyId}`,
]

async function visitPages(
  label: string,
  token: string | null,
  options: { color: 'light' | 'dark'; failing?: 'error' | 'offline'; openers?: boolean },
) {
  const startedAt = performance.now()
  const context = await createContext(site.url, violations)
  const page = await context.newPage()
  await page.emulateMedia({ colorScheme: options.color })
  currentScreen = label
  if (token) await signInAs(page, token, label.includes('empty') ? ben.id : ada.id)
  if (token) {
    await page.goto('/root')
    await settle(page)
    if (options.failing) await failAll(page, options.failing)
    for (const address of signedInPaths) {
      currentScreen = `${label} ${address}`
      await visitPage(page, address, options.openers ?? false)
    }
  } else
    for (const address of [
      ...visitorsOnly,
      '/kip',
      '/debug',
      '/board-demo',
      '/api?call=agents.create',
      `/${names.agentSlug}`,
      '/nothing/here',
      '/root',
    ]) {
      if (!address.includes(values.only)) continue
      currentScreen = `${label} ${address}`
      await page.goto(address)
      await settle(page)
      screens.add(address)
      visitCount++
    }
  await context.close()
  console.log(`  ${label}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${violations.length} violations`)
}

async function failAll(page: Page, failing: 'error' | 'offline'): Promise<void> {
  const body = JSON.stringify({
    success: false,
    error: 'Something failed.',
    code: 'internal',
    requestId: '0'.repeat(32),
  })
  await page.route(
    (url) => url.pathname.startsWith('/api/') && !url.pathname.startsWith('/api/kam/auth'),
    (route) =>
      failing === 'offline'
        ? route.abort('internetdisconnected')
        : route.fulfill({ status: 500, contentType: 'application/json', body, headers: { 'x-gate': 'failing' } }),
  )
}

await visitPages('full, light', ada.token, { color: 'light', openers: true })
await visitPages('full, dark', ada.token, { color: 'dark' })
await visitPages('empty, light', ben.token, { color: 'light' })
await visitPages('empty, dark', ben.token, { color: 'dark' })
await visitPages('every call fails, light', ada.token, { color: 'light', failing: 'error' })
await visitPages('every call fails, dark', ada.token, { color: 'dark', failing: 'error' })
await visitPages('no network', ada.token, { color: 'dark', failing: 'offline' })
await visitPages('a visitor, light', null, { color: 'light' })
await visitPages('a visitor, dark', null, { color: 'dark' })
await visitCustomHost()

const formatFirst = (lines: string[]) => [...new Set(lines)].slice(0, 20).map((line) => `  ${line.slice(0, 300)}`)
for (const line of [...formatFirst(violations), ...formatFirst(headerProblems)]) console.log(line)
report(
  `${screens.size} screens, light and dark, empty, full, failing and without network: no violation of the page policy`,
  `${violations.length} violations in ${visitCount} visits, ${openedCount} dialogs and menus opened`,
  '0',
  violations.length === 0 && visitCount > 0,
)
report(
  'every response to the browser has the promised headers',
  `${headerProblems.length} lack one, of ${responseCount}`,
  '0',
  headerProblems.length === 0 && responseCount > 0,
)
const matrixWorld = await createPermissionWorld('sqlite', {
  fetch: async () => Response.json({ error: { message: 'No.' } }, { status: 401 }),
})
const matrixServer = await serveBuilt(matrixWorld.app.services)
const matrix = await requestAllEndpoints(matrixWorld, matrixServer.url)
matrixServer.close()
await matrixWorld.app.close()
for (const line of formatFirst(matrix.lacking)) console.log(line)
const statuses = Object.entries(matrix.statuses).map(([status, count]) => `${count}×${status}`)
report(
  'every call, error, upload, stream, file and missing page has them',
  `${matrix.lacking.length} lack one, of ${matrix.requests} (${statuses.join(' ')})`,
  '0',
  matrix.lacking.length === 0,
)
const policy = (await fetch(`${site.url}/`)).headers.get('content-security-policy') ?? ''
const [differences, highRisks] = [findDifferences(policy), findHighRisks(policy)]
report(
  'the policy matches the promised one, directive by directive',
  differences.join('; ') || 'the same',
  'the same',
  differences.length === 0,
)
report('high findings of a policy evaluator', highRisks.join('; ') || '0', '0', highRisks.length === 0)
await checkControls()
await browser.close()
site.close()
await hostile.close()
await stopEngines()
process.exit()

async function visitCustomHost(): Promise<void> {
  const { db, customHosts } = services
  const { id } = await db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', ada.id)
    .where('is_primary', '=', true)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('domains')
    .set({ custom_domain: customHost, custom_domain_verified: true, lead_agent_id: names.agentId })
    .where('id', '=', id)
    .execute()
  await customHosts.load(db)
  const url = `http://${customHost}:${new URL(site.url).port}`
  const context = await createContext(url, violations)
  const page = await context.newPage()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const address of ['/', '/nothing']) {
      currentScreen = `the custom host, ${colorScheme} ${address}`
      await page.goto(`${url}${address}`)
      await settle(page)
      screens.add(`${customHost}${address}`)
      visitCount++
    }
  }
  await context.close()
}

async function checkControls(): Promise<void> {
  const plantedViolations: string[] = []
  const context = await createContext(site.url, plantedViolations)
  const page = await context.newPage()
  currentScreen = 'planted'
  await page.route('**/login', async (route) => {
    const response = await route.fetch()
    const planted = '<script>window.planted = 1</script><p onclick="planted = 1">press</p></body>'
    await route.fulfill({ response, body: (await response.text()).replace('</body>', planted) })
  })
  await page.goto('/login')
  await page
    .getByText('press', { exact: true })
    .dispatchEvent('click')
    .catch(() => undefined)
  await page.evaluate(() => {
    const plant = (name: string, attributes: Record<string, string>, text = '') => {
      const element = document.createElement(name)
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
      element.append(text)
      document.body.append(element)
    }
    plant('style', {}, '* { color: red }')
    plant('p', { style: 'color: red' })
    plant('img', { src: 'https://evil.example/planted.png' })
    plant('iframe', { src: 'https://evil.example/' })
    void fetch('https://evil.example/').catch(() => undefined)
    try {
      document.body.insertAdjacentHTML('beforeend', '<b>planted</b>')
    } catch {
      // Trusted Types refuse it and report a violation.
    }
  })
  await page.waitForTimeout(800)
  const kinds = new Set(plantedViolations.map((line) => /: ([\w-]+) refused/.exec(line)?.[1]))
  const expectedKinds = [
    'script-src-elem',
    'style-src-elem',
    'style-src-attr',
    'img-src',
    'frame-src',
    'script-src-attr',
    'connect-src',
    'require-trusted-types-for',
  ]
  const missedKinds = expectedKinds.filter((kind) => !kinds.has(kind))
  report(
    'control: a style, a handler, a frame, external pictures and calls, and markup planted in a page',
    `${expectedKinds.length - missedKinds.length} of ${expectedKinds.length} kinds${missedKinds.length > 0 ? `, not ${missedKinds.join(', ')}` : ''}`,
    'must be noticed',
    missedKinds.length === 0,
  )
  await context.close()

  const weakerPolicies: [string, string][] = [
    ["script-src 'self'", "script-src 'self' 'unsafe-inline'"],
    ["script-src 'self'", "script-src 'self' 'unsafe-eval'"],
    ["script-src 'self'", 'script-src *'],
    ["script-src 'self'", "script-src 'self' https://cdn.jsdelivr.net"],
    ["script-src 'self'", "script-src 'self' data:"],
    ["style-src 'self'", "style-src 'self' 'unsafe-inline'"],
    ["img-src 'self' data: blob:", 'img-src *'],
    ["object-src 'none'; ", 'object-src blob:; '],
    ["base-uri 'none'; ", ''],
    ["form-action 'self'; ", ''],
    ["frame-ancestors 'none'; ", ''],
    ["require-trusted-types-for 'script'; ", ''],
    ['trusted-types keeper', 'trusted-types *'],
    ["default-src 'none'; script-src 'self'; ", ''],
  ]
  const missedPolicies = weakerPolicies.filter(([from, to]) => {
    const planted = policy.replace(from, to)
    return planted === policy || findHighRisks(planted).length === 0 || findDifferences(planted).length === 0
  })
  report(
    'control: weaker policies',
    `${weakerPolicies.length - missedPolicies.length} of ${weakerPolicies.length} rated high${missedPolicies.map(([, to]) => `, not ${to}`)}`,
    'all must be noticed',
    missedPolicies.length === 0,
  )
  const bareProblems = findLackingHeaders(`${site.url}/api/x`, { 'content-type': 'application/json' })
  report(
    'control: a response without headers',
    `${bareProblems.length} lacking`,
    'must be noticed',
    bareProblems.length >= 8,
  )
}
