/// <reference lib="dom" />
import { randomBytes } from 'node:crypto'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { expect, type Page } from '@playwright/test'
import { report } from '../bench/measure.ts'
import type { SignInResult } from '../contract/accounts/accounts.ts'
import type { Keeper } from '../contract/keepers/keepers.ts'
import type { Moment } from '../contract/keepers/moments.ts'
import { cast } from '../tests/cast.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { navigateInApp } from '../tests/journeys/all-routes.ts'
import { getConversation, registerPerson } from '../tests/journeys/fixtures.ts'
import { storeSession } from '../tests/journeys/store-session.ts'
import { createPicture } from './behind-a-proxy/noise-picture.ts'
import {
  createProxiedContext,
  maxProxyKilobytes,
  nginxVariants,
  type ProxyFault,
  startBehindCaddy,
  startBehindNginx,
  startProxiedBrowser,
} from './behind-a-proxy/proxied-keeper.ts'
import { type World, walkRetries } from './behind-a-proxy/walk-retries.ts'
import { requireProgram } from './container/run-in-root.ts'

// A browser behind nginx and Caddy that refuse, answer in Keeper's place, lose their server or change what passes: texts
// stay, the reason and the remedy are shown, and Retry works. `--only=chat`, `--proxy=nginx`, `--no-walk`,
// `--pictures=failed` for a picture of each failure, `--list` for every Retry, `--port=` the first.

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    proxy: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    port: { type: 'string', default: '15921' },
    pictures: { type: 'string', default: '' },
    walk: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const proxies = (
  [
    ['nginx', startBehindNginx],
    ['Caddy', startBehindCaddy],
  ] as const
).filter(([name]) => name.toLowerCase().includes(values.proxy))
for (const [name] of proxies) requireProgram(name.toLowerCase())
const stepsAnswer = Array.from({ length: 40 }, (_, index) => `step${index + 1}`).join(' ')
const provider = await startProviderFake({
  provider: 'openai',
  keyless: true,
  wordDelayMs: 60,
  answer: () => stepsAnswer,
})
const environment = { OPENAI_BASE_URL: provider.baseUrl }
const browser = await startProxiedBrowser()
let [lastPort, nextPicture] = [Number(values.port), 1]
function takePort(): number {
  lastPort += 10
  return lastPort
}

type Scenario = (world: World) => Promise<void>

const refusalTexts: Record<string, RegExp> = {
  'api-403': /The proxy in front of this server refused this \(403\)\. Try again/,
  'api-429': /The proxy in front of this server takes no more requests right now\. Wait a minute/,
  'api-502': /Failed to connect to the server\. Please try again later\./,
  'api-504': /Failed to connect to the server\. Please try again later\./,
  'no-server': /Failed to connect to the server\. Please try again later\./,
  'sign-on': /Failed to connect to the server\. Please try again later\./,
  portal: /The proxy in front of this server answered in its place\. Reload this page\./,
}

async function withPage(
  { browser: inBrowser, proxied }: World,
  use: (page: Page) => Promise<void>,
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<void> {
  const context = await createProxiedContext(inBrowser, proxied.url, serviceWorkers)
  const page = await context.newPage()
  try {
    await use(page)
  } catch (error) {
    if (values.pictures) await page.screenshot({ path: `${values.pictures}-${nextPicture++}.png` })
    throw error
  } finally {
    await proxied.setFault(null)
    await context.close()
  }
}

/** Registers one person per page, because scenarios share a server. */
async function openNewKeeper(page: Page, { proxied: { keeper } }: World) {
  const person = {
    name: 'Ada',
    email: `${randomBytes(6).toString('hex')}@willowbrook.example`,
    password: 'quay-lamp-41x',
  }
  const signedIn = await keeper.callApi<SignInResult>('/api/kam/auth/register', person)
  await storeSession(page, signedIn)
  const { token } = signedIn
  const input = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await keeper.callApi<Keeper>('/api/keeper/keepers', input, { token })
  const listMoments = async () =>
    (await keeper.callApi<{ items: Moment[] }>(`/api/keeper/keepers/${id}/moments`, undefined, { token })).items
  await page.goto(`/keeper/${id}/moments`)
  const composer = page.getByRole('form', { name: 'New moment' })
  const textBox = composer.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await expect(textBox).toBeVisible()
  const send = () => textBox.press('Control+Enter')
  return { id, token, listMoments, composer, textBox, send }
}

const expectSaved = (listMoments: () => Promise<Moment[]>, texts: string[]) =>
  expect
    .poll(async () => (await listMoments()).map(({ body }) => body.slice(0, 100)).sort(), { timeout: 30_000 })
    .toEqual(texts.map((text) => text.slice(0, 100)).sort())

const scenarios: Record<string, Scenario> = {
  'signing in while the proxy refuses, answers for it or has no server': async (world) => {
    await registerPerson(world.proxied.keeper, 'ben')
    for (const [fault, text] of Object.entries(refusalTexts))
      await withPage(world, async (page) => {
        await page.goto('/login')
        await page.getByLabel('Email').fill(cast.ben.email)
        await page.getByLabel('Password', { exact: true }).fill(cast.ben.password)
        await world.proxied.setFault(fault as ProxyFault)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await expect(page.getByRole('alert'), fault).toContainText(text)
        await expect(page.getByLabel('Email'), fault).toHaveValue(cast.ben.email)
        await expect(page.getByLabel('Password', { exact: true }), fault).toHaveValue(cast.ben.password)
        await world.proxied.setFault(null)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await expect(page, fault).toHaveURL(/\/root$/)
      })
  },

  'a moment with a picture and one with a long text that are too large for the proxy': (world) =>
    withPage(world, async (page) => {
      const { composer, textBox, listMoments, send } = await openNewKeeper(page, world)
      await textBox.fill('The whole harbour, from above.')
      await composer
        .locator('input[type=file]')
        .first()
        .setInputFiles([{ name: 'harbour.png', mimeType: 'image/png', buffer: createPicture(3_600_000) }])
      const refusal = composer.getByRole('alert')
      await expect(refusal).toContainText(
        'harbour.png wasn’t added. The proxy in front of this server doesn’t accept 4 MB',
      )
      await expect(refusal).toContainText('ask the person who runs the server to raise its limit')
      await expect(composer.getByRole('button', { name: /retry|try again/i })).toHaveCount(0)
      await expect(textBox).toHaveValue('The whole harbour, from above.')
      await page.reload()
      await expect(textBox).toHaveValue('The whole harbour, from above.')
      await send()
      await expectSaved(listMoments, ['The whole harbour, from above.'])

      const longText = `Long. ${'All the boats of this year. '.repeat((maxProxyKilobytes * 1024) / 20)}`
      await textBox.fill(longText)
      await send()
      await expect(page.getByRole('alert').first()).toContainText(
        'The proxy in front of this server doesn’t accept 1 MB at once',
      )
      await expect(textBox).toHaveValue(longText)
      await textBox.fill('Short after all.')
      await send()
      await expectSaved(listMoments, ['The whole harbour, from above.', 'Short after all.'])
    }),

  'a picture that was queued and is too large for the proxy': (world) =>
    withPage(world, async (page) => {
      const { composer, textBox, listMoments, send } = await openNewKeeper(page, world)
      await page.context().setOffline(true)
      await textBox.fill('With a picture, later.')
      await composer
        .locator('input[type=file]')
        .first()
        .setInputFiles([{ name: 'quay.png', mimeType: 'image/png', buffer: createPicture(2_000_000) }])
      await expect(composer.locator('img')).toBeVisible()
      await send()
      await expect(textBox).toHaveValue('')
      await page.context().setOffline(false)
      await expect(page.getByText(/couldn’t be saved|refused/i).first()).toBeVisible({ timeout: 120_000 })
      await expect.poll(async () => (await listMoments()).length).toBeLessThanOrEqual(1)
      await expect(page.getByText('With a picture, later.').first()).toBeVisible()
    }),

  'text written while calls fail is saved and sent once': (world) =>
    withPage(world, async (page) => {
      const { textBox, listMoments, send } = await openNewKeeper(page, world)
      const texts: string[] = []
      for (const fault of ['no-server', 'api-502', 'api-503', 'api-504', 'sign-on', 'portal'] as const) {
        await world.proxied.setFault(fault)
        const text = `Written through ${fault}.`
        texts.push(text)
        await textBox.fill(text)
        await send()
        await expect(textBox, fault).toHaveValue('')
        await expect(page.getByText(text).first(), fault).toBeVisible()
        const bar = page.getByRole('status').filter({ hasText: /what you write is saved in this browser/ })
        await expect(bar, fault).toContainText(
          fault === 'sign-on' || fault === 'portal'
            ? 'Sign in again: reload this page.'
            : 'The server can’t be reached.',
        )
        await world.proxied.setFault(null)
        await expect(bar, fault).toHaveCount(0, { timeout: 15_000 })
        await expectSaved(listMoments, texts)
      }
      for (const fault of ['api-403', 'api-429'] as const) {
        await world.proxied.setFault(fault)
        const text = `Typed through ${fault}.`
        texts.push(text)
        await textBox.fill(text)
        await send()
        await expect(page.getByRole('alert').first(), fault).toContainText(refusalTexts[fault] as RegExp)
        await expect(textBox, fault).toHaveValue(text)
        await world.proxied.setFault(null)
        await send()
        await expectSaved(listMoments, texts)
      }
    }),

  'a server that accepts and stays silent': (world) =>
    withPage(world, async (page) => {
      const { textBox, listMoments, send } = await openNewKeeper(page, world)
      await world.proxied.setFault('silent-server')
      await textBox.fill('Into the silence.')
      await send()
      // nginx gives up after proxy_read_timeout, Caddy never.
      await expect(textBox)
        .toHaveValue('', { timeout: 30_000 })
        .catch(() => expect(textBox).toHaveValue('Into the silence.'))
      await world.proxied.setFault(null)
      await expectSaved(listMoments, ['Into the silence.'])
    }),

  'an answer that is cut in the middle continues': (world) =>
    withPage(world, async (page) => {
      await openNewKeeper(page, world)
      await page.goto('/kip')
      await page.getByLabel('Write to Kip').fill('Count the steps')
      await page.keyboard.press('Enter')
      await expect(getConversation(page).getByText(/step5\b/)).toBeVisible()
      world.proxied.cutConnections()
      await expect(getConversation(page).getByText('step40')).toBeVisible({ timeout: 20_000 })
      const answer = await getConversation(page).innerText()
      expect(answer.match(/\bstep\d+\b/g)).toEqual(stepsAnswer.split(' '))
    }),

  'a chat whose first call the proxy refuses': (world) =>
    withPage(world, async (page) => {
      await openNewKeeper(page, world)
      await page.goto('/kip')
      for (const [index, fault] of (['api-403', 'api-502', 'no-server'] as const).entries()) {
        await page.getByLabel('Write to Kip').fill(`Question through ${fault}`)
        await world.proxied.setFault(fault)
        await page.keyboard.press('Enter')
        const retryButton = page.getByRole('button', { name: 'Try again' })
        await expect(retryButton, fault).toBeVisible({ timeout: 20_000 })
        await expect(getConversation(page), fault).toContainText(`Question through ${fault}`)
        await world.proxied.setFault(null)
        await retryButton.click()
        await expect(retryButton, fault).toHaveCount(0)
        await expect(getConversation(page).getByText('step40'), fault).toHaveCount(index + 1, { timeout: 20_000 })
      }
    }),

  'a part of a page that was never loaded, while the server is down': (world) =>
    withPage(world, async (page) => {
      await openNewKeeper(page, world)
      await world.proxied.setFault('no-server')
      await navigateInApp(page, '/admin/roles')
      await expect(page.getByRole('heading', { name: 'A part of this page couldn’t be loaded' })).toBeVisible()
      await expect(page.getByRole('alert')).toContainText('The server can’t be reached. Reload when it is back.')
      await world.proxied.setFault(null)
      await page.getByRole('button', { name: 'Reload' }).click()
      await expect(page.getByRole('heading', { name: 'A part of this page couldn’t be loaded' })).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }),

  'a page is opened while the server is down': (world) =>
    withPage(
      world,
      async (page) => {
        const { id, textBox } = await openNewKeeper(page, world)
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
        await page.reload()
        await expect(textBox).toBeVisible()
        await world.proxied.setFault('no-server')
        await page.goto(`/keeper/${id}/moments`)
        await expect(page.getByText('The server can’t be reached.')).toBeVisible()
        await expect(textBox).toBeVisible()
        // The page also checks every 5 s, which would remove the button before the press.
        await page.waitForResponse(/\/ping$/)
        await world.proxied.setFault(null)
        await page.getByRole('button', { name: 'Try now' }).click()
        await expect(page.getByText('The server can’t be reached.')).toHaveCount(0)
      },
      'allow',
    ),
}

const passThroughScenario: Scenario = (world) =>
  withPage(world, async (page) => {
    const { textBox, listMoments, send, id } = await openNewKeeper(page, world)
    await textBox.fill('Through the proxy / with %2F and + signs.')
    await send()
    await expectSaved(listMoments, ['Through the proxy / with %2F and + signs.'])
    await page.goto(`/keeper/${id}/moments?q=${encodeURIComponent('proxy / with %2F')}`)
    await expect(page.getByRole('article').first()).toBeVisible()
    const otherTab = await page.context().newPage()
    await otherTab.goto(`/keeper/${id}/moments`)
    await expect(otherTab.getByRole('article')).toHaveCount(1)
    await page.goto(`/keeper/${id}/moments`)
    await textBox.fill('Seen in the other tab.')
    await send()
    await expect(otherTab.getByText('Seen in the other tab.').first(), 'a live event').toBeVisible({ timeout: 20_000 })
    await otherTab.close()
    await page.goto('/kip')
    await page.getByLabel('Write to Kip').fill('Count the steps')
    await page.keyboard.press('Enter')
    await expect(getConversation(page).getByText('step40')).toBeVisible({ timeout: 20_000 })
    const served = await page.evaluate(async () => {
      const response = await fetch('/kip', { headers: { accept: 'text/html' } })
      return { encoding: response.headers.get('content-encoding'), text: (await response.text()).slice(0, 15) }
    })
    expect(served.text.toLowerCase()).toBe('<!doctype html>')
    expect(served.encoding ?? '').toMatch(/^(gzip|br|zstd)?$/)
  })

async function runScenario(name: string, scenario: Scenario, world: World): Promise<string | undefined> {
  const startedAt = performance.now()
  try {
    await scenario(world)
    return undefined
  } catch (error) {
    return stripVTControlCharacters(String(error instanceof Error ? error.message : error)).slice(0, 2000)
  } finally {
    console.log(`  ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
}

const isChosen = (name: string) => name.includes(values.only)

for (const [proxyName, start] of proxies) {
  const proxied = await start(takePort(), environment)
  const world = { browser, proxied }
  for (const [name, scenario] of Object.entries(scenarios)) {
    // Caddy answers 502 to a body that is too large; the next scenario, with a queued picture, covers that.
    if (!isChosen(name) || (proxyName === 'Caddy' && name.endsWith('that are too large for the proxy'))) continue
    const problem = await runScenario(name, scenario, world)
    report(
      `${proxyName}: ${name}`,
      problem ?? 'nothing lost',
      'text kept, reason and remedy shown',
      problem === undefined,
    )
  }
  if (values.walk) await walkRetries(proxyName, world, { isChosen, listsAll: values.list, withPage })
  await proxied.stop()
}

for (const [name, change] of Object.entries(nginxVariants)) {
  if (!'nginx'.includes(values.proxy) || !isChosen(name)) continue
  const proxied = await startBehindNginx(takePort(), environment, change)
  const problem = await runScenario(name, passThroughScenario, { browser, proxied })
  report(
    `nginx ${name}: writing, live events, a streamed answer, pages`,
    problem ?? 'all pass',
    'all',
    problem === undefined,
  )
  await proxied.stop()
}

if (isChosen('control')) {
  const [name, scenario] = Object.entries(scenarios)[1] as [string, Scenario]
  const proxied = await startBehindNginx(takePort(), environment, (block) =>
    block.replace('client_max_body_size', 'add_header X-Request-Id planted always; client_max_body_size'),
  )
  const problem = await runScenario(`control: ${name}`, scenario, { browser, proxied })
  const isNoticed = problem?.includes('The proxy in front of this server') ?? false
  report(
    'control: a proxy that names its own pages as Keeper does',
    isNoticed ? 'noticed' : `not noticed: ${problem}`,
    'must be noticed',
    isNoticed,
  )
  await proxied.stop()
}

await browser.close()
await provider.close()
process.exit()
