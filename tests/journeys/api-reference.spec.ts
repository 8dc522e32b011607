import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test('a person finds a call, sends it, and is asked before one that changes things', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/api' })
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/keeper/')) sent.push(`${request.method()} ${pathname}`)
  })
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('keepers.list')
  await page.getByRole('link', { name: /\/api\/keeper\/keepers$/ }).click()
  await expect(page.getByRole('heading', { level: 2, name: /List/ })).toBeFocused()
  const form = page.getByRole('region', { name: 'Try it' })
  await expect(form.getByRole('region', { name: 'curl command' })).toContainText('Bearer $KEEPER_TOKEN')
  expect(sent).toEqual([])
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByRole('status').filter({ hasText: /^200 in/ })).toBeVisible()
  await expect(form.getByRole('region', { name: 'answer' })).toContainText('"success": true')
  expect(sent).toEqual(['GET /api/keeper/keepers'])
  await expectNoViolations(page, 'the API reference')

  await page.getByRole('searchbox', { name: 'Search calls' }).fill('keepers.create')
  await page.getByRole('link', { name: /\/api\/keeper\/keepers$/ }).click()
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect(sent).toHaveLength(1)
})

test('a visitor tries a call with a pasted token, which is stored nowhere @long', async ({ page, keeper }) => {
  const { token: session } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const { token } = await keeper.callApi<{ token: string }>(
    '/api/connections/tokens',
    { name: 'Script', scopes: ['capture'] },
    { token: session },
  )
  const { id } = await keeper.callApi<{ id: string }>(
    '/api/keeper/keepers',
    { title: 'My year', purpose: 'Evenings.' },
    { token: session },
  )
  await page.evaluate(() => localStorage.clear())
  await page.goto('/api?call=moments.create')
  const form = page.getByRole('region', { name: 'Try it' })
  await form.getByLabel('Access token', { exact: true }).fill(token)
  await form.getByRole('textbox', { name: 'id', exact: true }).fill(id)
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click()
  await expect(form.getByRole('status').filter({ hasText: /^200 in/ })).toBeVisible()
  await expect(form.getByRole('region', { name: 'curl command' })).not.toContainText(token)
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, location.href, document.cookie])
  })
  expect(stored).not.toContain(token)
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('logbook.create')
  await page.getByRole('navigation', { name: 'Calls' }).getByRole('link').first().click()
  await expect(form.getByLabel('Access token', { exact: true })).toHaveValue('')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoViolations(page, 'the API reference on a phone')
  await page.getByRole('link', { name: 'All calls' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search calls' })).toBeVisible()
})

test('the documents for programs are served as they are @long', async ({ keeper }) => {
  const list = await fetch(`${keeper.url}/llms.txt`)
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const links = [...(await list.text()).matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(8)
  for (const path of links) {
    const response = await fetch(keeper.url + path)
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    if (path.endsWith('.md')) expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  }
})
