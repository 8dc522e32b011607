import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const requestId = '0193f0c2a4d87b6e9c1d5a3f8e2b7c64'
const error = 'Something failed on the server. Try again, or give the request id to who runs this server.'

test('pages explain a failing session call within 3 s, and Retry works @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await registerAndSignIn(page, keeper, 'cleo', { path: '/root', isSuperAdmin: true })
  const session = '**/api/kam/auth/session'
  const failSession = () =>
    page.route(session, (route) => route.fulfill({ status: 500, json: { success: false, error, requestId } }))
  await failSession()
  const errorText = `${error} Request ${requestId}.`
  const requestPattern = new RegExp(`${requestId}\\.`)
  for (const [path, text, recoveredText] of [
    ['/admin/roles', `Error: ${errorText}`, 'Changes are saved as you make them'],
    ['/admin/users', 'Failed to load users', '1 user'],
    ['/admin/audit', errorText, 'Export CSV'],
    ['/admin/domains', 'Failed to load domains', '1 domain'],
    [
      '/studio/kip/api-keys',
      'Failed to load platform API keys: Failed to load platform keys: 500 Internal Server Error',
      'There are no active platform keys.',
    ],
    ['/studio/admin', `Error loading the texts: ${errorText}`, 'Given to agents with the context scope system.'],
    [
      '/debug',
      'Keeper couldn’t check whether you can make repairs.',
      'Each repair asks first and reports what it did.',
    ],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(text).first(), path).toBeVisible({ timeout: 3000 })
    if (text !== errorText && /users|domains/.test(path))
      await expect(page.getByRole('alert')).toContainText(requestPattern)
    await page.unroute(session)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(recoveredText).first(), path).toBeVisible()
    await failSession()
  }
  await page.goto('/admin/roles')
  await page.getByRole('button', { name: 'Copy details' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split(requestId), 'the request is named once').toHaveLength(2)
  await page.goto('/studio/kip/api-keys')
  await expect(page.getByText('Total Keys')).toBeVisible()
  await expect(page.getByText('Authenticating...')).toHaveCount(0)
})

test('pages explain a missing session response after 10 s, and Retry works @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'cleo', { isSuperAdmin: true })
  const session = '**/api/kam/auth/session'
  await page.route(session, () => undefined)
  await page.goto('/admin/roles')
  await expect(page.getByText('Error: The server couldn’t be reached.')).toBeVisible({ timeout: 15_000 })
  await page.unroute(session)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Changes are saved as you make them')).toBeVisible()
})
