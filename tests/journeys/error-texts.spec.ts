import type { Locator, Page, Route } from '@playwright/test'
import { cast } from '../cast.ts'
import { scenes } from './error-texts/catalog.ts'
import {
  brokenRequestId,
  type CallAnswer,
  type CallFailure,
  type ErrorScene,
  type ErrorTextCase,
  type ErrorWorld,
} from './error-texts/scene.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.setTimeout(90_000)

for (const scene of scenes) {
  test(`${scene.name}: failures show the specified text @long`, async ({ page, keeper, watch }) => {
    watch.expectLine(/status of (4|5)\d\d|ERR_FAILED|Failed to |A frame failed/)
    const logged: string[] = []
    page.on('console', (line) => line.type() === 'error' && logged.push(line.text()))
    const world = await startScene(scene, page, keeper)
    for (const errorText of scene.texts)
      await test.step(errorText.text, async () => {
        logged.length = 0
        await errorText.provoke(world)
        await checkErrorText(errorText, page, logged)
        await world.restoreCalls()
        await errorText.cleanUp?.(world)
      })
  })
}

async function startScene(scene: ErrorScene, page: Page, keeper: ErrorWorld['keeper']): Promise<ErrorWorld> {
  const isSuperAdmin = scene.isSuperAdmin ?? false
  const signedIn = scene.visitor ? undefined : await registerAndSignIn(page, keeper, 'ada', { isSuperAdmin })
  const token = signedIn?.token ?? ''
  const world: ErrorWorld = {
    page,
    keeper,
    async callApi(path, body, method = body === undefined ? 'GET' : 'POST') {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await page.request.fetch(path, { method, headers, ...(body !== undefined && { data: body }) })
      expect(answer.ok(), `${method} ${path}`).toBe(true)
      const result = await answer.json()
      return 'success' in result ? result.data : result
    },
    failCall: (call, failure) => failCall(page, call, failure),
    answerCall: (call, answer) => routeCall(page, call, (route) => fulfill(route, answer)),
    restoreCalls: () => page.unrouteAll({ behavior: 'ignoreErrors' }),
  }
  await scene.setUp(world)
  return world
}

function failCall(page: Page, call: string, failure: CallFailure): Promise<void> {
  return routeCall(page, call, (route) =>
    failure === 'unreachable' ? route.abort() : fulfill(route, { status: failure }),
  )
}

async function routeCall(page: Page, call: string, respond: (route: Route) => Promise<void>): Promise<void> {
  const [method, address = ''] = call.split(' ')
  const [path = '', query] = address.split('?')
  const toPattern = (pattern: string, star: string) =>
    new RegExp(`^${pattern.replace(/[.]/g, '\\.').replaceAll('*', star)}$`)
  const matches = ({ pathname, search }: URL) =>
    toPattern(path, '[^/]+').test(pathname) && toPattern(query ?? '', '.*').test(search.slice(1))
  await page.route(matches, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await respond(route)
  })
}

async function fulfill(route: Route, { status = 200, json, stream, beforeResponse }: CallAnswer): Promise<void> {
  await beforeResponse?.()
  if (stream) return route.fulfill({ status, contentType: 'text/event-stream', body: stream })
  await route.fulfill({
    status,
    headers: { 'X-Request-Id': brokenRequestId },
    json: json ?? { success: false, requestId: brokenRequestId },
  })
}

async function checkErrorText(
  { text, where, remedy, preserved, showsRequestId }: ErrorTextCase,
  page: Page,
  logged: string[],
) {
  if (where) await expect(where(page), text).toBeVisible()
  else {
    await expect.poll(() => logged.some((line) => line.includes(text)), `"${text}" in the console`).toBe(true)
    await expect(page.getByText(text), `"${text}" is only logged`).toHaveCount(0)
  }
  if (remedy) {
    await expect(remedy(page), `the remedy for "${text}"`).toBeVisible()
    await expect(remedy(page), `the remedy for "${text}"`).toBeEnabled()
  }
  if (preserved) await expectFieldValue(preserved(page), text)
  if (showsRequestId) await expectRequestId(page)
}

async function expectFieldValue([field, value]: [Locator, string], text: string) {
  await expect(field, `the text typed before "${text}"`).toHaveValue(value)
}

/** Administrators look up the id; every page shows it behind the DEBUG button. */
async function expectRequestId(page: Page) {
  await page.getByRole('button', { name: 'DEBUG', exact: true }).click()
  const information = page.getByRole('dialog', { name: 'System information' })
  await expect(information.getByText(`Request ${brokenRequestId}`).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(information).toHaveCount(0)
}

test('a failed sign-in shows the request id and keeps the email @long', async ({ page, watch }) => {
  watch.expectLine(/status of 500/)
  await page.goto('/login')
  await failCall(page, 'POST /api/kam/auth/login', 500)
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText(`An unknown error occurred. Try again. Request ${brokenRequestId}.`)
  await expect(page.getByLabel('Email')).toHaveValue(cast.ada.email)
})

test.describe('copying', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('is confirmed briefly, and a refused clipboard is reported @long', async ({ page, keeper }) => {
    await registerAndSignIn(page, keeper, 'ada', { path: '/debug' })
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
    const copyButton = information.getByRole('button', { name: 'Copy', exact: true })
    const copiedButton = information.getByRole('button', { name: 'Copied' })
    await expect(copyButton).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    await copyButton.press('Enter')
    await expect(copiedButton).toBeVisible()
    await page.clock.runFor(1900)
    await expect(copiedButton).toBeVisible()
    await page.clock.runFor(200)
    await expect(copiedButton).toHaveCount(0)
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))
    })
    await copyButton.press('Enter')
    await expect(information.getByRole('button', { name: 'Failed to copy to clipboard' })).toBeVisible()
  })
})
