import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Locator } from '@playwright/test'
import { browserArguments, findBrowser } from '../scripts/find-browser.ts'
import { report, startKeeper } from './measure.ts'

// A newcomer keeps a first moment, and makes and tries a first agent, in 20 seconds each. Without a provider key, Kip's answers are mocked.

const port = 15_868
const maxSeconds = 20
/** 180 words of five characters a minute. */
const keyDelayMs = 60_000 / (180 * 5)
/** Time to read a label and aim at it (ms). */
const aimMs = 700

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: dataDir })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || (await findBrowser()),
  args: browserArguments,
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, baseURL: `http://127.0.0.1:${port}` })

await page.goto('/register')
await page.getByLabel('Name').fill('Ada')
await page.getByLabel('Email').fill('ada@keeper.example')
await page.getByLabel('Password', { exact: true }).fill('a-bench-password-5')
await measureSeconds('first moment, from the filled-in form', async () => {
  await click(page.locator('form').getByRole('button', { name: /begin|register|create/i }))
  await page.waitForURL('**/root')
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await box.waitFor()
  await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement)
  await type('The ferry was late this morning, and for once no one on the quay minded waiting.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Saved in My keeper.').waitFor()
})

await page.goto('/studio/agents')
await measureSeconds('first agent made and tried, from Manage Agents', async () => {
  await click(page.getByRole('button', { name: 'Create New Agent' }))
  await click(page.getByRole('textbox', { name: /^Name/ }).first())
  await type('Tide Table')
  await click(page.getByRole('textbox', { name: /^Purpose/ }))
  await type('Answers questions about the tides like a harbour master.')
  await click(page.getByRole('textbox', { name: 'Test input', exact: true }))
  await type('When is high water?')
  await click(page.getByRole('button', { name: 'Run', exact: true }))
  await page.getByRole('link', { name: 'View run' }).waitFor()
  await click(page.getByRole('button', { name: 'Create Agent' }).first())
  await page.getByText('Created Tide Table.').waitFor()
})
await browser.close()
await keeper.stop()
rmSync(dataDir, { recursive: true })

async function measureSeconds(label: string, act: () => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  await act()
  const seconds = (performance.now() - startedAt) / 1000
  report(label, `${seconds.toFixed(1)} s`, `at most ${maxSeconds} s at 180 words a minute`, seconds <= maxSeconds)
}

async function click(target: Locator): Promise<void> {
  await page.waitForTimeout(aimMs)
  await target.click()
}

async function type(text: string): Promise<void> {
  await page.keyboard.type(text, { delay: keyDelayMs })
}
