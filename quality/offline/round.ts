import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { killBrowser } from '../../tests/journeys/profile-browser.ts'
import { storeSession } from '../../tests/journeys/store-session.ts'
import { countStoredEntries } from '../../tests/journeys/stored-entries.ts'
import { createRandom } from '../two-tabs/interleavings.ts'
import type { LossyProxy } from './lossy-proxy.ts'
import { openBrowser } from './profile-browser.ts'
import { waitUntilContains, waitUntilEditable, waitUntilEmpty } from './wait-in-page.ts'

export interface RoundOptions {
  proxy: LossyProxy
  server: string
  browser: string
  edits: number
  /** Planted defect: the queue is only in memory. */
  isMemoryOnly?: boolean
}

export interface RoundOutcome {
  edits: number
  lost: string[]
  duplicates: string[]
  misordered: string[]
  /** Concurrent changes that were overwritten, or not shown with both texts. */
  unseen: string[]
  lostResponseCount: number
}

type StoredEntry = Record<string, unknown> & { id: string; createdAt: string; rev: number }

const writingSections = {
  voice: { path: 'voice-panel', open: 'Add Voice Entry', form: 'New voice entry', list: 'voice-entries' },
  echo: { path: 'echo-writer', open: 'Write an Echo', form: 'New echo', list: 'echoes' },
  logbook: { path: 'identity-logbook', open: 'Add Logbook Entry', form: 'New logbook entry', list: 'logbook-entries' },
} as const
const textFields: Record<string, string> = {
  reflection: 'content',
  moment: 'body',
  voice: 'belief',
  echo: 'message',
  logbook: 'entry',
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

export async function runOfflineRound(options: RoundOptions, number: number): Promise<RoundOutcome> {
  const { proxy, edits } = options
  const randomInt = createRandom(number * 7919 + 13)
  const profile = mkdtempSync(join(tmpdir(), 'keeper-offline-'))
  const outcome: RoundOutcome = { edits: 0, lost: [], duplicates: [], misordered: [], unseen: [], lostResponseCount: 0 }
  const lostResponseCountBefore = proxy.lostResponseCount
  Object.assign(proxy, { isCut: false, responseLossRate: 0, created: [] })
  const person = { email: `round${number}-${Date.now()}@keeper.example`, password: 'a-harbour-lamp-5', name: 'Round' }
  const signedIn = await callServer<{ token: string; user: { id: string } }>('/api/kam/auth/register', person)
  const { token } = signedIn
  const keeperInput = { title: 'The Harbour Year', purpose: 'Keep it.', keeperType: 'journal', memoryPattern: 'sole' }
  const keeper = await callServer<StoredEntry>('/api/keeper/keepers', keeperInput, token)
  const keeperPath = `/api/keeper/keepers/${keeper.id}`
  const earlierReflections: StoredEntry[] = []
  for (let index = 0; index < Math.max(4, Math.round(edits / 20)); index++)
    earlierReflections.push(
      await callServer<StoredEntry>(`${keeperPath}/reflections`, { content: `Before ${index}.` }, token),
    )

  let { context, page } = await start()
  await storeSession(page, signedIn)
  const journal = `/keeper/${keeper.id}/reflection-journal`
  const findReflectionBox = () => page.getByRole('textbox', { name: 'Reflection', exact: true })
  const findMomentForm = () => page.getByRole('form', { name: 'New moment' })
  const findMomentBox = () => findMomentForm().getByRole('textbox').first()
  // Every page used offline was opened online first.
  for (const { path: pagePath, open } of Object.values(writingSections)) {
    await page.goto(`/keeper/${keeper.id}/${pagePath}`)
    await page.getByRole('button', { name: open }).first().click()
    await page.getByRole('button', { name: 'Cancel' }).first().waitFor()
  }
  await page.goto(`/keeper/${keeper.id}/moments`)
  await findMomentBox().waitFor()
  for (const { id } of earlierReflections) {
    await page.goto(`${journal}?tab=write&reflection=${id}`)
    await waitUntilContains(findReflectionBox, 'Before')
    await waitUntilReadsAreStored()
  }
  await openJournal()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 })
  await page.waitForTimeout(500)

  await setOffline(true)
  /** In order of writing; entries in progress at the kill are optional. */
  const written: { section: string; text: string; isCertain: boolean }[] = []
  const changedTexts = new Map<string, string>()
  const typedIds = new Set<string>()
  const textsWithPicture: string[] = []
  const entriesPerSection = Math.max(1, Math.floor(edits / 40))
  const remaining = edits - earlierReflections.length - entriesPerSection * 3
  const reflectionCount = Math.ceil(remaining / 2)
  const blocks: (() => Promise<void>)[] = [
    ...splitCount(reflectionCount, 3).map((count) => () => writeReflections(count)),
    ...splitCount(remaining - reflectionCount, 3).map((count, index) => () => writeMoments(count, index === 0)),
    ...Object.keys(writingSections).map(
      (section) => () => writeEntries(section as keyof typeof writingSections, entriesPerSection),
    ),
    () => changeReflections(earlierReflections),
  ]
  shuffle(blocks)
  const reloadAt = randomInt(blocks.length)
  const killAt = randomInt(blocks.length)
  for (const [index, block] of blocks.entries()) {
    if (index === reloadAt) await page.reload()
    if (index !== killAt) {
      await block()
      continue
    }
    const interruptedBlock = block().catch((reason: unknown) => {
      if (!/closed|crashed|detached|disconnected/i.test(String(reason))) throw reason
    })
    await new Promise((resolve) => setTimeout(resolve, 200 + randomInt(4000)))
    await killBrowser(context, profile)
    await interruptedBlock
    ;({ context, page } = await start())
    await setOffline(true)
    await openJournal()
  }
  await changeReflections(earlierReflections)
  const missing = edits - written.length - changedTexts.size
  if (missing > 0) await writeReflections(missing)
  outcome.edits = written.length + changedTexts.size

  const conflictingIds = [...changedTexts.keys()].slice(0, 2)
  for (const id of conflictingIds)
    await callServer(`/api/keeper/reflections/${id}`, { content: `Remote ${id}` }, token, 'PUT')
  proxy.responseLossRate = 0.3
  await setOffline(false)
  const recoveryTimer = setTimeout(() => {
    proxy.responseLossRate = 0
  }, 15_000)
  await openJournal()
  const bar = page.getByText(/changes? waiting to be sent/)
  // The page reads its queue shortly after it becomes editable.
  await bar
    .first()
    .waitFor({ timeout: 30_000 })
    .catch(() => undefined)
  const deadline = Date.now() + 180_000
  while ((await bar.count()) > 0 && Date.now() < deadline) {
    // Retry delays double; focusing the page retries immediately.
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.waitForTimeout(300)
  }
  clearTimeout(recoveryTimer)
  proxy.responseLossRate = 0

  await checkServer()
  await context.close()
  rmSync(profile, { recursive: true, force: true })
  outcome.lostResponseCount = proxy.lostResponseCount - lostResponseCountBefore
  return outcome

  async function start() {
    const started = await openBrowser(profile, proxy.url, options.browser)
    if (options.isMemoryOnly)
      await started.context.addInitScript(() => {
        const put = IDBObjectStore.prototype.put
        IDBObjectStore.prototype.put = function (
          this: IDBObjectStore,
          value: Record<string, unknown>,
          key?: IDBValidKey,
        ) {
          if (this.name !== 'writes') return key === undefined ? put.call(this, value) : put.call(this, value, key)
          return put.call(this, { ...value, sealed: new ArrayBuffer(0) })
        }
      })
    return started
  }

  // Even rounds turn the browser's network off; odd rounds cut the connections at the proxy.
  async function setOffline(isOffline: boolean) {
    if (number % 2 === 0) await context.setOffline(isOffline)
    else proxy.isCut = isOffline
  }

  async function waitUntilReadsAreStored() {
    for (let previous = -1, count = 0; count !== previous; count = await countStoredEntries(page, 'reads')) {
      previous = count
      await page.waitForTimeout(150)
    }
  }

  async function openJournal() {
    await page.goto(`${journal}?tab=write`)
    await findReflectionBox().waitFor()
    await waitUntilEditable(findReflectionBox)
  }

  async function writeReflections(count: number) {
    await openJournal()
    for (let index = 0; index < count; index++)
      await send('reflection', findReflectionBox, () => findReflectionBox().press('Control+Enter'))
  }

  async function writeMoments(count: number, withPicture: boolean) {
    await page.goto(`/keeper/${keeper.id}/moments`)
    await waitUntilEditable(findMomentBox)
    for (let index = 0; index < count; index++) {
      if (withPicture && index === 0) {
        await findMomentBox().focus()
        await findMomentForm()
          .locator('input[type=file]')
          .first()
          .setInputFiles({ name: 'lake.png', mimeType: 'image/png', buffer: picture })
        await findMomentForm().locator('img').first().waitFor()
        textsWithPicture.push(`moment ${number}.${written.length}.`)
      }
      await send('moment', findMomentBox, () => findMomentBox().press('Control+Enter'))
    }
  }

  async function writeEntries(section: keyof typeof writingSections, count: number) {
    const { path: pagePath, open, form } = writingSections[section]
    for (let index = 0; index < count; index++) {
      await page.goto(`/keeper/${keeper.id}/${pagePath}`)
      await page.getByRole('button', { name: open }).first().click()
      const box = page.getByRole('form', { name: form })
      const findTextbox = () =>
        box.getByRole('textbox', { name: { voice: 'Belief', echo: 'Message', logbook: 'Entry' }[section] })
      await waitUntilEditable(findTextbox)
      if (section !== 'echo') await box.getByLabel('Label').fill('A label')
      if (section === 'logbook') await box.getByLabel('Category').fill('Work')
      if (section === 'echo') await box.getByLabel('On a date', { exact: true }).fill('2031-05-04')
      await send(
        section,
        findTextbox,
        () => box.locator('button[type=submit]').click(),
        () => box.waitFor({ state: 'detached' }),
      )
    }
  }

  async function changeReflections(rows: StoredEntry[]) {
    for (const [index, { id }] of rows.entries()) {
      if (changedTexts.has(id)) continue
      await page.goto(`${journal}?tab=write&reflection=${id}`)
      // The kill may have interrupted this change after it was typed.
      await waitUntilContains(findReflectionBox, typedIds.has(id) ? '.' : 'Before')
      const text = `Changed ${number}.${index}.${typedIds.has(id) ? ' Again.' : ''}`
      typedIds.add(id)
      await findReflectionBox().fill(text)
      await page.waitForTimeout(2500)
      changedTexts.set(id, text)
    }
  }

  /** An entry counts as written when the box is empty or the form is closed. */
  async function send(
    section: string,
    box: () => ReturnType<Page['locator']>,
    submit: () => Promise<void>,
    done?: () => Promise<void>,
  ) {
    const entry = { section, text: `${section} ${number}.${written.length}.`, isCertain: false }
    written.push(entry)
    await box().fill(entry.text)
    await submit()
    await (done ? done() : waitUntilEmpty(box))
    entry.isCertain = true
  }

  async function checkServer() {
    const lists: Record<string, StoredEntry[]> = {}
    for (const [section, { list }] of Object.entries({
      ...writingSections,
      reflection: { list: 'reflections' },
      moment: { list: 'moments' },
    }))
      lists[section] = await listAllRows(`${keeperPath}/${list}`)
    const getRowText = (section: string, row: StoredEntry) => String(row[textFields[section] ?? 'content'])
    for (const { section, text, isCertain } of written) {
      const storedRows = (lists[section] ?? []).filter((row) => getRowText(section, row) === text)
      if (storedRows.length === 0 && isCertain) outcome.lost.push(text)
      if (storedRows.length > 1) outcome.duplicates.push(text)
      if (textsWithPicture.includes(text) && storedRows[0] && (storedRows[0].media as unknown[]).length !== 1)
        outcome.lost.push(`the picture of ${text}`)
    }
    for (const [id, text] of changedTexts) {
      const row = lists.reflection?.find((candidate) => candidate.id === id)
      const expected = conflictingIds.includes(id) ? `Remote ${id}` : text
      if (row?.content !== expected)
        outcome[conflictingIds.includes(id) ? 'unseen' : 'lost'].push(`${text} is ${String(row?.content)}`)
    }
    for (const section of ['reflection', 'moment']) {
      const sorted = (lists[section] ?? []).toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
      checkOrder(
        sorted.map((row) => getRowText(section, row)),
        section,
      )
    }
    const byId = new Map(
      Object.entries(lists).flatMap(([section, rows]) =>
        rows.map((row) => [row.id, getRowText(section, row)] as const),
      ),
    )
    checkOrder([...new Set(proxy.created)].flatMap((id) => byId.get(id) ?? []))
    for (const id of conflictingIds) {
      if (!(await showsBothTexts(changedTexts.get(id) ?? '', `Remote ${id}`)))
        outcome.unseen.push(`${changedTexts.get(id)} next to Remote ${id}`)
    }
  }

  function checkOrder(texts: string[], section?: string) {
    const positions = texts.flatMap((text) => {
      const position = written.findIndex(
        (candidate) => candidate.text === text && (section === undefined || candidate.section === section),
      )
      return position < 0 ? [] : [position]
    })
    for (let index = 1; index < positions.length; index++)
      if ((positions[index] ?? 0) < (positions[index - 1] ?? 0))
        outcome.misordered.push(
          `${written[positions[index] ?? 0]?.text} after ${written[positions[index - 1] ?? 0]?.text}`,
        )
  }

  async function showsBothTexts(localText: string, serverText: string): Promise<boolean> {
    try {
      await page.getByRole('button', { name: 'Review' }).click({ timeout: 5000 })
      const item = page.getByRole('dialog').getByRole('listitem').filter({ hasText: localText })
      await item.getByRole('button', { name: 'Compare and decide' }).click({ timeout: 5000 })
      const dialog = page.getByRole('dialog', { name: /was changed elsewhere/ })
      await dialog.getByText('Decide later').waitFor({ timeout: 10_000 })
      const dialogText = ((await dialog.textContent()) ?? '').replaceAll(/\s+/g, '')
      const hasBothTexts =
        dialogText.includes(localText.replaceAll(/\s+/g, '')) && dialogText.includes(serverText.replaceAll(/\s+/g, ''))
      await dialog.getByRole('button', { name: 'Decide later' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
      return hasBothTexts
    } catch (reason) {
      console.log(`  ${String(reason).split('\n')[0]}`)
      return false
    }
  }

  async function callServer<Data>(
    path: string,
    body?: unknown,
    bearer?: string,
    method = body ? 'POST' : 'GET',
  ): Promise<Data> {
    return (await callEnvelope<Data>(path, body, bearer, method)).data
  }

  async function callEnvelope<Data>(path: string, body?: unknown, bearer?: string, method = 'GET') {
    const response = await fetch(options.server + path, {
      method,
      headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { success: boolean; data: Data; next_cursor?: string | null }
    if (!answer.success) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }

  async function listAllRows(path: string): Promise<StoredEntry[]> {
    const rows: StoredEntry[] = []
    let cursor: string | null | undefined
    do {
      const page = cursor ? `${path}?cursor=${encodeURIComponent(cursor)}` : path
      const { data, next_cursor } = await callEnvelope<
        StoredEntry[] | { items: StoredEntry[]; next_cursor: string | null }
      >(page, undefined, token)
      rows.push(...(Array.isArray(data) ? data : data.items))
      cursor = Array.isArray(data) ? next_cursor : data.next_cursor
    } while (cursor)
    return rows
  }

  function shuffle<Item>(all: Item[]) {
    for (let index = all.length - 1; index > 0; index--) {
      const other = randomInt(index + 1)
      ;[all[index], all[other]] = [all[other] as Item, all[index] as Item]
    }
  }
}

const splitCount = (count: number, partCount: number) =>
  Array.from({ length: partCount }, (_, index) => Math.floor((count + index) / partCount)).filter(
    (candidate) => candidate > 0,
  )
