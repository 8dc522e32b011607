import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from '@playwright/test'
import { report } from '../bench/measure.ts'
import { journeys } from '../contract/keepers/journeys.ts'
import { startEnginesWithoutRunner } from '../tests/engines.ts'
import { listQueryPaths, paths, resolvePath } from '../tests/journeys/all-routes.ts'
import { toRequest } from '../tests/test-app.ts'
import { serveBuilt, signInAs, startBrowser } from './browser/keeper-in-browser.ts'
import { countTraces, createTraces, scan, type Traces, watchContext } from './browser/traces.ts'
import { closeAll, findOpeners, goTo, press, settle } from './browser/walk.ts'
import { type AcceptedPaths, isSecret, sendPayloads } from './script-injection/fill.ts'
import {
  fillExtras,
  joinPayloads,
  type OtherText,
  otherTexts,
  type PageContent,
  payloadNumbers,
} from './script-injection/hostile-extras.ts'
import { createHostileWorld } from './script-injection/hostile-world.ts'
import { anyMark, imageThatRuns, payloads, withMark } from './script-injection/payloads.ts'
import { listTextFields } from './script-injection/text-fields.ts'

// 150 payloads in every text field, on every page and without the page policy: nothing runs, loads or opens, and no payload
// creates an element or attribute. `--payloads=` how many, `--together=` per world, `--from=` to reproduce, `--only=/library` for some pages.

const { values } = parseArgs({
  options: {
    payloads: { type: 'string', default: '150' },
    together: { type: 'string', default: '10' },
    from: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    openers: { type: 'boolean', default: true },
    trace: { type: 'boolean', default: false },
  },
  allowNegative: true,
})
const numbers = payloadNumbers.slice(Number(values.from), Number(values.from) + Number(values.payloads))
const payloadsPerWorld = Number(values.together)
const rounds = Array.from({ length: Math.ceil(numbers.length / payloadsPerWorld) }, (_, index) =>
  numbers.slice(index * payloadsPerWorld, (index + 1) * payloadsPerWorld),
)
const fields = listTextFields().filter(({ path }) => !isSecret(path))
/** Numbers of other texts start well above those of fields. */
const firstOtherNumber = fields.length + 100
const getTextNumber = (name: OtherText) => firstOtherNumber + otherTexts.indexOf(name)
const getFieldName = (number: number) =>
  fields.find((field) => field.number === number)?.name ?? otherTexts[number - firstOtherNumber] ?? `${number}`

const stopEngines = await startEnginesWithoutRunner()
const browser = await startBrowser()
const acceptedPaths: AcceptedPaths = new Map()
/** By address and opener name: whether it shows part of a payload. */
const showsPayload = new Map<string, boolean>()
const locationsByPair = new Map<string, Set<string>>()
const storedPairs = new Set<string>()
const traces = createTraces()
const problems: string[] = []
let [visitCount, openedCount, refusedCount, mailCount, fileCount] = [0, 0, 0, 0, 0]

async function createContext(url: string, bypassCSP: boolean, collectedTraces: Traces): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    bypassCSP,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
  })
  context.setDefaultTimeout(8000)
  await watchContext(context, [url], collectedTraces)
  return context
}

async function recordTraces(page: Page, location: string, collectedTraces: Traces): Promise<boolean> {
  const scanResult = await scan(page)
  for (const item of scanResult.foreign) collectedTraces.foreign.push(`${location}: ${item}`)
  let isNew = false
  for (const mark of scanResult.marks) {
    const [, payload = '', field = ''] = [...mark.matchAll(anyMark)][0] ?? []
    const pair = `${payload} ${field}`
    const locations = locationsByPair.get(pair) ?? new Set()
    if (!locations.has(location)) isNew = true
    locationsByPair.set(pair, locations.add(location))
  }
  return isNew
}

async function visitPage(page: Page, pattern: string, address: string, collectedTraces: Traces): Promise<void> {
  if (!pattern.includes(values.only)) return
  const startedAt = performance.now()
  await goTo(page, address)
  visitCount++
  await recordTraces(page, pattern, collectedTraces)
  if (values.openers && !collectedTraces.exceptions.includes('control')) {
    for (const opener of await findOpeners(page)) {
      const key = `${pattern} ${opener.name
        .replace(/x\d+f\d+x.*/, '')
        .split(/\s+/)
        .slice(0, 2)
        .join(' ')}`
      if (showsPayload.get(key) === false) continue
      const didOpen = await press(page, opener)
      const isNew =
        didOpen && (await recordTraces(page, `${pattern} › ${key.slice(pattern.length + 1)}`, collectedTraces))
      if (didOpen) openedCount++
      if (!showsPayload.get(key)) showsPayload.set(key, isNew)
      await closeAll(page)
      if (new URL(page.url()).pathname + new URL(page.url()).search !== address) await goTo(page, address)
    }
  }
  if (values.trace) console.log(pattern, (performance.now() - startedAt).toFixed(0))
}

async function runRound(roundPayloads: number[], index: number): Promise<void> {
  const hostile = await createHostileWorld()
  const { world } = hostile
  const served = await serveBuilt(world.app.services)
  const isPolicyBypassed = index % 10 !== 0
  const roundTraces = createTraces()
  const context = await createContext(served.url, isPolicyBypassed, roundTraces)
  try {
    const filled = await sendPayloads(world, fields, roundPayloads, acceptedPaths)
    const pageContent = await fillExtras(hostile, filled, roundPayloads, getTextNumber)
    for (const pair of filled.stored) storedPairs.add(pair)
    refusedCount += filled.refused
    problems.push(...filled.problems)
    const page = await context.newPage()
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|TrustedHTML|TrustedScript/.test(message.text())) violations.push(message.text())
    })
    const { token, id } = await world.app.as('ada')
    await signInAs(page, token ?? '', id)
    await page.goto('/root')
    await settle(page)
    await walkAll(page, pageContent, roundPayloads, roundTraces)
    await streamAnswer(page, hostile, pageContent, roundPayloads, roundTraces)
    await openFiles(world, pageContent, roundTraces)
    for (const { to, subject, text } of world.app.mails) {
      mailCount++
      if (/[\r\n]/.test(to + subject)) roundTraces.foreign.push(`a mail's header: ${to} ${subject}`)
      for (const [, payload, field] of text.matchAll(anyMark)) recordVisible(`${payload} ${field}`, 'a mail')
    }
    if (!isPolicyBypassed)
      for (const item of violations) roundTraces.foreign.push(`the page policy had to stop: ${item}`)
  } finally {
    await context.close().catch(() => undefined)
    served.close()
    await hostile.close()
  }
  for (const kind of Object.keys(traces) as (keyof Traces)[]) {
    const newItems = [...new Set(roundTraces[kind])].filter((item) => !traces[kind].includes(item))
    for (const item of newItems.slice(0, 10)) console.log(`  ${kind}: ${item}`)
    traces[kind].push(...roundTraces[kind])
  }
}

function recordVisible(pair: string, location: string): void {
  locationsByPair.set(pair, (locationsByPair.get(pair) ?? new Set()).add(location))
}

async function walkAll(
  page: Page,
  { names, boardIds }: PageContent,
  roundPayloads: number[],
  collectedTraces: Traces,
): Promise<void> {
  const visitors = ['/', '/login', '/register']
  for (const path of paths)
    if (!visitors.includes(path)) await visitPage(page, path, resolvePath(path, names), collectedTraces)
  const patterns = listQueryPaths({ id: ':id', agentId: ':agentId', run: ':run' })
  for (const [index, address] of listQueryPaths(names).entries())
    await visitPage(page, patterns[index] ?? address, address, collectedTraces)
  for (const boardId of boardIds) {
    await visitPage(page, '/studio/board-studio?board', `/studio/board-studio?board=${boardId}`, collectedTraces)
    await visitPage(
      page,
      '/studio/board-studio?board&tab=preview',
      `/studio/board-studio?board=${boardId}&tab=preview`,
      collectedTraces,
    )
  }
  await visitPage(
    page,
    '/keeper/:id/journeys?journey',
    `/keeper/${names.id}/journeys?journey=${names.journeyId}`,
    collectedTraces,
  )
  await fillLibrary(page, roundPayloads, collectedTraces)
  for (const name of ['q', 'tab', 'moment', 'journey', 'topic', 'view', 'user', 'sessionId', 'edit', 'board', 'next']) {
    const number = roundPayloads[name.length % roundPayloads.length] ?? 0
    const value = encodeURIComponent(withMark(number, getTextNumber('an address')))
    storedPairs.add(`${number} ${getTextNumber('an address')}`)
    const address = { moment: 'moments', q: 'memory-cards', journey: 'journeys', topic: 'memory-cards' }[name]
    const studioPath = name === 'board' ? '/studio/board-studio' : '/studio/agents'
    const pagePath = address ? `/keeper/${names.id}/${address}` : studioPath
    await visitPage(page, `?${name}=`, `${pagePath}?${name}=${value}`, collectedTraces)
  }
}

async function fillLibrary(page: Page, roundPayloads: number[], collectedTraces: Traces): Promise<void> {
  if (!'/library'.includes(values.only)) return
  await goTo(page, '/library')
  const nameField = getTextNumber('the name of a document')
  const files = roundPayloads.map((number) => ({
    name: `${withMark(number, nameField)
      .replaceAll('/', '∕')
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 180)}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(withMark(number, getTextNumber('the text of a document'))),
  }))
  await page.getByLabel('Choose documents').setInputFiles(files)
  for (const number of roundPayloads)
    for (const field of [nameField, nameField + 1]) storedPairs.add(`${number} ${field}`)
  await page.waitForTimeout(1500)
  await recordTraces(page, '/library', collectedTraces)
  const views = await page.getByRole('button', { name: /^View / }).all()
  for (const view of views) {
    await view.click({ timeout: 3000 }).catch(() => undefined)
    await page.waitForTimeout(250)
    await recordTraces(page, '/library › View', collectedTraces)
    await closeAll(page)
  }
}

/** Streams word by word, so that partial payloads are rendered. */
async function streamAnswer(
  page: Page,
  { setAnswer }: { setAnswer(text: string): void },
  { names }: PageContent,
  roundPayloads: number[],
  collectedTraces: Traces,
) {
  if (values.only) return
  const field = getTextNumber('a streamed answer on the page')
  setAnswer(`${joinPayloads(roundPayloads, field)}\n\nThe end.`)
  for (const number of roundPayloads) storedPairs.add(`${number} ${field}`)
  await goTo(page, `/${names.agentSlug}`)
  const box = page.locator('main textarea').first()
  await box.fill('Say it')
  await box.press('Enter')
  for (let waitedMs = 0; waitedMs < 6000; waitedMs += 200) {
    await page.waitForTimeout(200)
    await recordTraces(page, 'a chat while it is answered', collectedTraces)
    if (
      await page
        .getByText('The end.')
        .first()
        .isVisible()
        .catch(() => false)
    )
      break
  }
  await recordTraces(page, 'a chat', collectedTraces)
}

/** People open exported files outside Keeper, without its policy. */
async function openFiles(
  world: Awaited<ReturnType<typeof createHostileWorld>>['world'],
  { storyJourneyId }: PageContent,
  collectedTraces: Traces,
) {
  const foreignContext = await createContext('https://elsewhere.example', true, collectedTraces)
  const { path, init } = toRequest(journeys.story, { params: { id: storyJourneyId }, query: { format: 'html' } })
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    authorization: `Bearer ${await world.createToken('owner')}`,
  }
  const html = await (await world.app.fetch(path, { ...init, headers })).text()
  const page = await foreignContext.newPage()
  await page.setContent(html, { waitUntil: 'domcontentloaded' })
  fileCount++
  const scanResult = await scan(page)
  for (const item of scanResult.foreign)
    if (!/^a style:/.test(item)) collectedTraces.foreign.push(`a story as HTML: ${item}`)
  for (const mark of scanResult.marks) {
    const [, payload = '', field = ''] = [...mark.matchAll(anyMark)][0] ?? []
    recordVisible(`${payload} ${field}`, 'a story as HTML')
  }
  await foreignContext.close()
}

for (const [index, roundPayloads] of rounds.entries()) {
  const startedAt = performance.now()
  await runRound(roundPayloads, index)
  console.log(
    `  round ${index + 1} of ${rounds.length}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${countTraces(traces)} traces`,
  )
}

for (const item of problems.slice(0, 10)) console.log(`  ${item}`)
const visiblePairCount = [...storedPairs].filter((pair) => locationsByPair.has(pair)).length
const showings = [...locationsByPair.values()].reduce((total, allPages) => total + allPages.size, 0)
const allPages = new Set([...locationsByPair.values()].flatMap((item) => [...item]))
const storedFields = new Set([...storedPairs].map((pair) => Number(pair.split(' ')[1])))
const visibleFields = new Set([...locationsByPair.keys()].map((pair) => Number(pair.split(' ')[1])))
const neverVisible = [...storedFields].filter((field) => !visibleFields.has(field)).map(getFieldName)
console.log(`  never shown: ${neverVisible.join('; ') || 'none'}`)
const name = `${numbers.length} payloads × ${storedFields.size} text fields × ${allPages.size} places`
report(
  `${name}: nothing runs, loads or opens, without the page policy`,
  `${traces.runs.length} runs, ${traces.requests.length} requests, ${traces.dialogs.length} dialogs, ${traces.navigations.length} navigations (${showings} showings of ${visiblePairCount} of ${storedPairs.size} stored pairs, ${refusedCount} refused; ${visitCount} visits, ${openedCount} dialogs and menus, ${mailCount} mails, ${fileCount} files)`,
  '0, 0, 0, 0',
  traces.runs.length + traces.requests.length + traces.dialogs.length + traces.navigations.length === 0 && showings > 0,
)
report(
  `${name}: no element or attribute comes from a payload`,
  `${traces.foreign.length}`,
  '0',
  traces.foreign.length === 0,
)
report(
  `${name}: no payload breaks a page`,
  `${traces.exceptions.length} exceptions, ${problems.length} faults of the server`,
  '0, 0',
  traces.exceptions.length + problems.length === 0,
)
await checkControl()
await browser.close()
await stopEngines()
process.exit()

async function checkControl(): Promise<void> {
  const hostile = await createHostileWorld()
  const served = await serveBuilt(hostile.world.app.services)
  const scanResult = createTraces()
  const context = await createContext(served.url, true, scanResult)
  await context.addInitScript(() => {
    const renderAsHtml = () => {
      for (const element of document.querySelectorAll('h1, h2, h3, p, span'))
        if (element.childElementCount === 0 && element.textContent?.includes('<'))
          element.innerHTML = element.textContent
    }
    new MutationObserver(renderAsHtml).observe(document, { childList: true, subtree: true, characterData: true })
  })
  const keeperFields = fields.filter(({ call }) => call === 'keepers.update')
  const title = keeperFields.find(({ path }) => path === 'title')?.number ?? 0
  // Chosen so that the title field gets the payload that runs.
  await sendPayloads(
    hostile.world,
    keeperFields,
    [(imageThatRuns - title + payloads.length) % payloads.length],
    acceptedPaths,
  )
  const { token, id } = await hostile.world.app.as('ada')
  const page = await context.newPage()
  await signInAs(page, token ?? '', id)
  await page.goto('/keeper')
  await settle(page)
  // On a busy machine, scripts can run seconds after they are inserted.
  for (let seconds = 0; seconds < 20 && scanResult.runs.length + scanResult.requests.length === 0; seconds++)
    await page.waitForTimeout(1000)
  for (const item of (await scan(page)).foreign) scanResult.foreign.push(item)
  report(
    'control: a page that renders titles as HTML',
    `${scanResult.runs.length} runs, ${scanResult.requests.length} requests, ${scanResult.foreign.length} foreign elements`,
    'must be noticed',
    scanResult.runs.length + scanResult.requests.length > 0 && scanResult.foreign.length > 0,
  )
  await context.close()
  served.close()
  await hostile.close()
}
