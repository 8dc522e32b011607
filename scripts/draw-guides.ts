/// <reference lib="dom" />
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Board } from '#contract/boards/boards.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isMain } from '#server/start/require-node.ts'
import { cast } from '#tests/cast.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { type BuiltKeeper, startBuiltKeeper } from '#tests/journeys/built-keeper.ts'
import { storeSession } from '#tests/journeys/store-session.ts'
import { browserArguments, findBrowser } from './find-browser.ts'
import { root } from './fingerprint.ts'

const imageFolder = join(root, 'docs/images')
const size = { width: 1280, height: 800 }

interface Picture {
  name: string
  path: string
  mode: 'Architect' | 'MyKeeper' | 'Admin'
  prepare?: (page: Page) => Promise<void>
}

const getFakeAnswer = () =>
  'You come back to the harbour when something ends: the last ferry in August, the lamp that was mended, the morning after the storm.'

function listPictures(keeper: Keeper, boardId: string): Picture[] {
  const toKeeperUrl = (keeperPath: string) => `/keeper/${keeper.id}/${keeperPath}`
  return [
    { name: 'first-steps', mode: 'MyKeeper', path: '/root' },
    { name: 'keeper-dashboard', mode: 'MyKeeper', path: toKeeperUrl('dashboard') },
    { name: 'moments', mode: 'MyKeeper', path: toKeeperUrl('moments') },
    { name: 'reflection-journal', mode: 'MyKeeper', path: toKeeperUrl('reflection-journal') },
    { name: 'memory-cards', mode: 'MyKeeper', path: toKeeperUrl('memory-cards') },
    { name: 'sole-memory', mode: 'MyKeeper', path: toKeeperUrl('memory') },
    { name: 'manage-agents', mode: 'Architect', path: '/studio/agents' },
    { name: 'agent-editor', mode: 'Architect', path: '/studio/agents/harbour-keeper' },
    {
      name: 'lead-chat',
      mode: 'Architect',
      path: '/kip',
      prepare: async (page) => {
        await page.getByRole('textbox').first().fill('What do I keep coming back to?')
        await page.keyboard.press('Enter')
        await page.getByText('the morning after the storm').first().waitFor()
      },
    },
    { name: 'board-studio', mode: 'Architect', path: `/studio/board-studio?board=${boardId}` },
    { name: 'theme-library', mode: 'Architect', path: '/studio/themes' },
    { name: 'platform-roles', mode: 'Admin', path: '/admin/roles' },
    { name: 'platform-users', mode: 'Admin', path: '/admin/users' },
    { name: 'system-logs', mode: 'Admin', path: '/studio/admin/logs' },
    {
      name: 'diagnostics',
      mode: 'Admin',
      path: '/debug',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Run all checks and copy report' }).click()
        await page.getByText('Success rate').waitFor()
        await page.getByRole('button', { name: 'Run all checks and copy report' }).waitFor({ timeout: 90_000 })
      },
    },
  ]
}

if (isMain(import.meta)) {
  mkdirSync(imageFolder, { recursive: true })
  const fake = await startProviderFake({ provider: 'openai', keyless: true, answer: getFakeAnswer })
  const keeper = await startBuiltKeeper({ OPENAI_BASE_URL: fake.baseUrl })
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: browserArguments,
  })
  try {
    const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', baseURL: keeper.url })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const sampleData = await createSampleData(keeper)
    await signIn(context, sampleData.signedIn)
    for (const picture of listPictures(sampleData.keeper, sampleData.boardId)) await takeScreenshot(context, picture)
  } finally {
    await browser.close()
    await keeper.stop()
    await fake.close()
  }
}

async function createSampleData(keeper: BuiltKeeper) {
  const setupToken = new URL(keeper.setupPath, keeper.url).searchParams.get('setup')
  const signedIn = await keeper.callApi<SignInResult>('/api/kam/auth/register', { ...cast.ada, setupToken })
  await keeper.callApi('/api/kam/auth/register', cast.ben)
  await keeper.callApi('/api/kam/auth/register', cast.cleo)
  const { token } = signedIn
  const sample = await keeper.callApi<Keeper>('/api/keeper/sample', {}, { token })
  for (const agent of [
    {
      name: 'Harbour Keeper',
      purpose: 'Reads the day’s moments and drafts a reflection only when something repeats.',
      context_scope: 'keeper',
      memory_enabled: true,
    },
    {
      name: 'Recipe Reader',
      purpose: 'Turns photographed recipe cards into logbook entries and flags the words it could not read.',
    },
    { name: 'Front Desk', purpose: 'Answers visitors from the public description alone.', agent_class: 'Lead' },
  ])
    await keeper.callApi('/api/kip/agents', agent, { token })
  for (const input of ['What repeated this week?', 'Which cards say so?'])
    await keeper.callApi('/api/kip/agents', { action: 'run', agentId: 'harbour-keeper', input }, { token })
  const createdBoard = await fetch(`${keeper.url}/api/boards`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'The harbour year', type: 'custom_board', description: 'The year at the harbour.' }),
  })
  return { signedIn, keeper: sample, boardId: ((await createdBoard.json()) as Board).id }
}

async function signIn(context: BrowserContext, signedIn: SignInResult): Promise<void> {
  const page = await context.newPage()
  await storeSession(page, signedIn)
  await page.close()
}

async function takeScreenshot(context: BrowserContext, { name, path, mode, prepare }: Picture): Promise<void> {
  const page = await context.newPage()
  await page.addInitScript(
    (record) => localStorage.setItem('keeper-view-mode', record),
    JSON.stringify({ mode, timestamp: 0 }),
  )
  await page.goto(path, { waitUntil: 'load' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], [data-skeleton]'))
  await prepare?.(page)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(800)
  await page.screenshot({ path: join(imageFolder, `${name}.png`) })
  await page.close()
  console.log(`docs/images/${name}.png`)
}
