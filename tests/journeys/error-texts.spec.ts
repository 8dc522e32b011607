import type { Locator, Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { scenes } from './error-texts/catalogue.ts'
import { type Broken, brokenRequest, type Scene, type SeenText, type World } from './error-texts/scene.ts'
import { arrive, expect, test } from './fixtures.ts'

test.setTimeout(90_000)

for (const scene of scenes) {
  test(`${scene.name}: failures show the specified text @at-length`, async ({
    page,
    keeper,
    watch,
  }) => {
    watch.expectLine(/status of (4|5)\d\d|ERR_FAILED|Failed to |A frame failed/)
    const logged: string[] = []
    page.on('console', (line) => line.type() === 'error' && logged.push(line.text()))
    const world = await begun(scene, page, keeper)
    for (const seen of scene.texts)
      await test.step(seen.text, async () => {
        logged.length = 0
        await seen.provoke(world)
        await lookAt(seen, page, logged)
        await world.mends()
        await seen.after?.(world)
      })
  })
}

async function begun(scene: Scene, page: Page, keeper: World['keeper']): Promise<World> {
  const runsThePlatform = scene.runsThePlatform ?? false
  const signedIn = scene.visitor ? undefined : await arrive(page, keeper, 'ada', { runsThePlatform })
  const token = signedIn?.token ?? ''
  const world: World = {
    page,
    keeper,
    token,
    async ask(path, body, method = body === undefined ? 'GET' : 'POST') {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await page.request.fetch(path, { method, headers, ...(body !== undefined && { data: body }) })
      expect(answer.ok(), `${method} ${path}`).toBe(true)
      const said = await answer.json()
      return 'success' in said ? said.data : said
    },
    breaks: (call, how) => breaks(page, call, how),
    mends: () => page.unrouteAll({ behavior: 'ignoreErrors' }),
  }
  await scene.begin(world)
  return world
}

async function breaks(page: Page, call: string, how: Broken): Promise<void> {
  const [method, address = ''] = call.split(' ')
  const [path = '', query] = address.split('?')
  const wanted = (pattern: string, star: string) =>
    new RegExp(`^${pattern.replace(/[.]/g, '\\.').replaceAll('*', star)}$`)
  const matches = ({ pathname, search }: URL) =>
    wanted(path, '[^/]+').test(pathname) && wanted(query ?? '', '.*').test(search.slice(1))
  await page.route(matches, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    if (how === 'unreachable') return route.abort()
    const { status = 200, json, stream, before } = typeof how === 'number' ? { status: how } : how
    await before?.()
    if (stream) return route.fulfill({ status, contentType: 'text/event-stream', body: stream })
    await route.fulfill({
      status,
      headers: { 'X-Request-Id': brokenRequest },
      json: json ?? { success: false, requestId: brokenRequest },
    })
  })
}

async function lookAt({ text, where, remedy, kept, tellsRequest }: SeenText, page: Page, logged: string[]) {
  if (where) await expect(where(page), text).toBeVisible()
  else {
    await expect.poll(() => logged.some((line) => line.includes(text)), `"${text}" in the console`).toBe(true)
    await expect(page.getByText(text), `"${text}" is only logged`).toHaveCount(0)
  }
  if (remedy) {
    await expect(remedy(page), `the remedy for "${text}"`).toBeVisible()
    await expect(remedy(page), `the remedy for "${text}"`).toBeEnabled()
  }
  if (kept) await holds(kept(page), text)
  if (tellsRequest) await findRequest(page)
}

async function holds([field, words]: [Locator, string], text: string) {
  await expect(field, `the text typed before "${text}"`).toHaveValue(words)
}

/** Administrators look up the id; every page shows it behind the DEBUG button. */
async function findRequest(page: Page) {
  await page.getByRole('button', { name: 'DEBUG', exact: true }).click()
  const information = page.getByRole('dialog', { name: 'System information' })
  await expect(information.getByText(`Request ${brokenRequest}`).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(information).toHaveCount(0)
}

test('a failed sign-in shows the request id and keeps the email', async ({ page, watch }) => {
  watch.expectLine(/status of 500/)
  await page.goto('/login')
  await breaks(page, 'POST /api/kam/auth/login', 500)
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText(`An unknown error occurred. Try again. Request ${brokenRequest}.`)
  await expect(page.getByLabel('Email')).toHaveValue(cast.ada.email)
})

test.describe('copying', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('is confirmed briefly, and a refused clipboard is reported @at-length', async ({
    page,
    keeper,
  }) => {
    await arrive(page, keeper, 'ada', { path: '/debug' })
    await page.clock.install()
    await page.getByRole('button', { name: 'Run all checks and copy report' }).click()
    const reported = page.getByText('Report copied', { exact: true })
    await expect(reported).toBeVisible({ timeout: 20_000 })
    await page.clock.runFor(3500)
    await expect(reported).toBeVisible()
    await page.clock.runFor(1500)
    await expect(reported).toHaveCount(0)

    await page.goto('/root')
    await page.getByRole('button', { name: 'DEBUG', exact: true }).click()
    const information = page.getByRole('dialog', { name: 'System information' })
    const copy = information.getByRole('button', { name: 'Copy', exact: true })
    const copied = information.getByRole('button', { name: 'Copied' })
    await expect(copy).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    await copy.press('Enter')
    await expect(copied).toBeVisible()
    await page.clock.runFor(1900)
    await expect(copied).toBeVisible()
    await page.clock.runFor(200)
    await expect(copied).toHaveCount(0)
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    })
    await copy.press('Enter')
    await expect(information.getByRole('button', { name: 'Failed to copy to clipboard' })).toBeVisible()
  })
})
