import { cast } from '../cast.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'

test('public pages work without storage, and sign-in explains the problem @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/Failed to parse auth data from localStorage/)
  await registerPerson(keeper, 'ada')
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
  })
  for (const [path, heading] of [
    ['/', /what is worth keeping/],
    ['/register', 'Begin Your Journey'],
    ['/debug', 'Diagnostics'],
    ['/board-demo', /Board/],
    ['/kip', 'Kip'],
    ['/root', 'Welcome Back'],
    ['/login', 'Welcome Back'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading }), path).toBeVisible()
  }
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('This browser blocks storage for this site')
  await expect(page.getByLabel('Email')).toHaveValue(cast.ada.email)
})

test('without https, offline entries wait in the open page', async ({ page, keeper, context, watch }) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED/)
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })
  })
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id } = await keeper.callApi<{ id: string }>('/api/keeper/keepers', keeperInput, { token })
  await page.goto(`/keeper/${id}/moments`)
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await box.fill('The ferry was late.')
  await context.setOffline(true)
  await box.press('Control+Enter')
  await expect(page.getByText('1 change waiting to be sent. This browser can’t save anything for later')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('1 change waiting to be sent.')).toHaveCount(0)
  const { items } = await keeper.callApi<{ items: { body: string }[] }>(
    `/api/keeper/keepers/${id}/moments`,
    undefined,
    {
      token,
    },
  )
  expect(items.map(({ body }) => body)).toEqual(['The ferry was late.'])
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('a form sent without scripts leads back to its page, not to JSON @long', async ({ page }) => {
    for (const [path, heading, send] of [
      ['/login?next=%2Fkeeper', 'Welcome Back', 'Sign in'],
      ['/register', 'Begin Your Journey', 'Begin'],
    ] as const) {
      await page.goto(path)
      await page.getByLabel('Email').fill(cast.ada.email)
      await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
      const redirect = page.waitForResponse((response) => response.status() === 303)
      await page.locator('form').getByRole('button', { name: send, exact: true }).click()
      expect((await redirect).request().method()).toBe('POST')
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    }
  })
})
