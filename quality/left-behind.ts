import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { report, startKeeper } from '../bench/measure.ts'
import { findBrowser } from '../scripts/find-browser.ts'
import { storeSession } from '../tests/journeys/store-session.ts'
import { openBrowser } from './offline/profile-browser.ts'

// After sign-out, the browser profile contains only library documents (docs/decisions/0011-documents-stay-in-the-browser.md).

const { values } = parseArgs({ options: { port: { type: 'string', default: '15883' }, keep: { type: 'string' } } })
const port = Number(values.port)
const url = `http://127.0.0.1:${port}`
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-gate-'))
const browser = await findBrowser()
const keeper = await startKeeper({ PORT: `${port}`, KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATIONS_PER_HOUR: '1000' })

const markerWords = {
  'a keeper’s title': 'quayname7',
  'a reflection that was read': 'heronread7',
  'a moment that was read': 'ferryread7',
  'a reflection written offline': 'lampwaits7',
  'a draft in the journal': 'oardraft7',
  'an unsent chat message': 'buoychat7',
  'an unsaved agent': 'anchoragent7',
  'an unsaved echo': 'tideecho7',
  'a search': 'moorsearch7',
}

const cleanResult = await searchProfile(false)
for (const line of cleanResult.findings) console.log(`  ${line}`)
report(
  `after sign-out, the browser profile contains none of ${cleanResult.markerCount} markers, and no valid token`,
  `${cleanResult.findings.length} found in ${cleanResult.fileCount} files`,
  '0 found',
  cleanResult.findings.length === 0,
)
report(
  'library documents stay, as decided',
  cleanResult.hasDocument ? 'present' : 'missing',
  'present',
  cleanResult.hasDocument,
)
const plantedResult = await searchProfile(true)
report(
  'control: a page that stores a response in localStorage',
  `noticed: ${plantedResult.findings.length} found`,
  'must be noticed',
  plantedResult.findings.some((line) => line.includes('planted7')),
)
await keeper.stop()
rmSync(dataDir, { recursive: true, force: true })

async function searchProfile(shouldPlant: boolean) {
  const profile = mkdtempSync(join(tmpdir(), 'keeper-left-'))
  const browserSession = await openBrowser(profile, url, browser)
  const { context, page } = browserSession
  const person = { email: `left${Date.now()}@keeper.example`, password: 'a-harbour-lamp-5', name: 'Left' }
  const signedIn = await postJson<{ token: string; user: unknown }>('/api/kam/auth/register', person)
  const { token } = signedIn
  const title = `The ${markerWords['a keeper’s title']} Year`
  const keeperInput = { title, purpose: title, keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await postJson<{ id: string }>('/api/keeper/keepers', keeperInput, token)
  const keeperApiPath = `/api/keeper/keepers/${id}`
  await postJson(
    `${keeperApiPath}/reflections`,
    { content: `${markerWords['a reflection that was read']} ${'read '.repeat(200)}` },
    token,
  )
  await postJson(`${keeperApiPath}/moments`, { body: markerWords['a moment that was read'] }, token)
  await storeSession(page, signedIn)
  if (shouldPlant) await page.evaluate(() => localStorage.setItem('keeper-last-answer', 'planted7 of a journal'))

  const keeperPath = `/keeper/${id}`
  await page.goto('/keeper')
  await page.getByText(title).first().waitFor()
  await page.goto(`${keeperPath}/moments`)
  await page.getByText(markerWords['a moment that was read']).first().waitFor()
  await page.goto(`${keeperPath}/memory-cards?q=${markerWords['a search']}`)
  await page.goto(`${keeperPath}/echo-writer`)
  await page.getByRole('button', { name: 'Write an Echo' }).first().click()
  await typeText(page, page.getByRole('textbox', { name: 'Message' }), markerWords['an unsaved echo'])
  await page.goto('/kip')
  await typeText(page, page.getByRole('textbox').first(), markerWords['an unsent chat message'])
  await page.reload()
  await page.goto('/studio/agents?tab=agent')
  await typeText(page, page.getByRole('textbox', { name: 'Purpose', exact: true }), markerWords['an unsaved agent'])
  await page.reload()
  await page.goto('/library')
  await page
    .getByLabel('Choose documents')
    .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('document7 stays here') })
  // The name is also visible while the file is being written.
  await page.getByRole('article').filter({ hasText: 'note.txt' }).waitFor()
  await page.goto(`${keeperPath}/reflection-journal?tab=write`)
  const reflectionBox = page.getByRole('textbox', { name: 'Reflection', exact: true })
  await reflectionBox.waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 60_000 })
  await context.setOffline(true)
  await reflectionBox.fill(markerWords['a reflection written offline'])
  await reflectionBox.press('Control+Enter')
  await page.getByText(/waiting to be sent/).waitFor()
  await typeText(page, reflectionBox, markerWords['a draft in the journal'])
  await page.reload()
  await reflectionBox.waitFor()

  await context.setOffline(false)
  await page.reload()
  await reflectionBox.waitFor()
  await page.getByText(/waiting to be sent/).waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out and lose them' }).click()
  await page.waitForFunction(() => localStorage.getItem('keeper_token') === null)
  await page.waitForTimeout(1500)
  const pageStorage = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  await context.close()

  // Chromium can keep the deleted token in its log for a while, so it must be invalid.
  const session = await fetch(`${url}/api/kam/auth/session`, { headers: { authorization: `Bearer ${token}` } })
  const validTokens: [string, string][] = session.status === 401 ? [] : [['the token, which is still valid', token]]
  const searchedWords: [string, string][] = [
    ...Object.entries(markerWords),
    ...validTokens,
    ['the planted response', 'planted7'],
  ]
  const files = listFiles(profile)
  const findings: string[] = []
  let hasDocument = false
  for (const file of files) {
    const bytes = readFileSync(file)
    for (const [label, word] of searchedWords)
      if (containsText(bytes, word)) findings.push(`${label} (${word}) in ${file.slice(profile.length + 1)}`)
    hasDocument ||= containsText(bytes, 'document7')
  }
  for (const [label, word] of searchedWords)
    if (pageStorage.includes(word)) findings.push(`${label} (${word}) in the page’s storage`)
  if (values.keep) console.log(`  kept: ${profile}`)
  else rmSync(profile, { recursive: true, force: true })
  return { findings, fileCount: files.length, markerCount: Object.keys(markerWords).length, hasDocument }
}

/** Searches UTF-8 and UTF-16, which Chromium uses for strings. */
function containsText(bytes: Buffer, word: string): boolean {
  return bytes.includes(word) || bytes.includes(Buffer.from(word, 'utf16le'))
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => {
      try {
        return statSync(file).isFile()
      } catch {
        return false
      }
    })
}

/** Also waits until the draft is saved. */
async function typeText(page: Page, box: ReturnType<Page['locator']>, text: string): Promise<void> {
  await box.waitFor()
  await box.fill(text)
  await page.waitForTimeout(600)
}

async function postJson<Data>(path: string, body: unknown, bearer?: string): Promise<Data> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { success: boolean; data: Data }
  if (!answer.success) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer.data
}
