import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { cast } from '../cast.ts'
import { type DnsFake, startDnsFake } from '../fakes/dns-server.ts'
import { type HostingFake, recommendedCname, startHostingFake } from '../fakes/hosting-api.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { test as base, expect, getConversation, registerAndSignIn } from './fixtures.ts'
import { getButton, getStatusMessage } from './locators.ts'

/** The browser resolves it to this machine: see playwright.config.ts. */
const host = 'memories.example.org'
const edgeHost = 'edge.keeper.example'
/** The browser requires https for this header; in production a proxy provides it. */
const plainHttp = /Cross-Origin-Opener-Policy header has been ignored/

interface CustomDomainFixtures {
  nameServers: [DnsFake, DnsFake]
  hosting: HostingFake
}

const test = base.extend<CustomDomainFixtures>({
  nameServers: async ({}, use) => {
    const [firstServer, secondServer] = [await startDnsFake(), await startDnsFake()]
    for (const { records } of [firstServer, secondServer]) records.set(edgeHost, { A: ['127.0.0.1'] })
    await use([firstServer, secondServer])
    await Promise.all([firstServer.close(), secondServer.close()])
  },
  hosting: async ({}, use) => {
    const hosting = await startHostingFake()
    await use(hosting)
    await hosting.close()
  },
})

test.setTimeout(120_000)

const getPanel = (page: Page) => page.getByRole('region', { name: 'Custom domain' })
const getRecords = (page: Page) => page.getByRole('table', { name: 'DNS records' })
const getCustomHostUrl = (keeper: BuiltKeeper, path = '/') => `http://${host}:${new URL(keeper.url).port}${path}`

async function createDomain(page: Page, name: string, description: string) {
  await getButton(page, 'New domain').click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill(description)
  await getButton(page, 'Create domain').click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

async function addCustomDomain(page: Page) {
  await expect(getButton(page, 'Add Domain')).toBeDisabled()
  await page.getByRole('textbox', { name: 'Custom domain' }).fill(`https://${host.toUpperCase()}/`)
  await getButton(page, 'Add Domain').click()
  await expect(getStatusMessage(page, 'Custom domain added successfully')).toBeVisible()
  await expect(getPanel(page)).toContainText(host)
  await expect(getPanel(page).getByText('DNS Pending')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Domains' }).getByText('DNS Pending')).toBeVisible()
}

async function chooseKip(page: Page) {
  await getButton(page, 'Edit').click()
  await page.getByRole('combobox', { name: 'Lead agent' }).selectOption({ label: 'Kip (kip)' })
  await getButton(page, 'Save').click()
  await expect(getStatusMessage(page, 'Domain saved successfully')).toBeVisible()
}

async function deleteDomain(page: Page, name: string) {
  await getButton(page, `More for ${name}`).click()
  await page.getByRole('menuitem', { name: 'Delete domain' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete domain' }).click()
  // While the dialog is open, nothing behind it is accessible.
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Domains' }).getByText(name)).toHaveCount(0)
}

/** Takes screenshots for reviewers, only if KEEPER_PICTURES names a folder. */
async function takeScreenshot(page: Page, name: string) {
  const folder = process.env.KEEPER_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}.${colorScheme}.png` })
  }
}

/** Checks the visitor's view of the custom host and what it doesn't serve. */
async function checkCustomHost(page: Page, keeper: BuiltKeeper) {
  await page.goto(getCustomHostUrl(keeper))
  await expect(page.getByRole('heading', { level: 1, name: 'Kip' })).toBeVisible()
  await expect(page).toHaveTitle('Kip · Harbour letters')
  await expect(page.getByRole('link'), 'no link leaves the chat').toHaveText(['Skip to content'])
  await page.getByLabel('Write to Kip').fill('Where is the quay?')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('That is all.')).toBeVisible()
  await page.reload()
  await expect(getConversation(page).getByText('Where is the quay?', { exact: true })).toBeVisible()
  await getButton(page, 'More').click()
  await page.getByRole('menuitem', { name: 'Sessions' }).click()
  const sessions = page.getByRole('dialog', { name: 'Sessions' })
  await expect(sessions).toContainText('Your sessions are tied to this browser and last one day.')
  await page.keyboard.press('Escape')
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name, domain }) => [name, domain])).toEqual([['kv', host]])
  await expectNoViolations(page, 'the chat at a custom host')
  await takeScreenshot(page, 'chat')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectNoViolations(page, 'the chat at a custom host on a phone')
  await takeScreenshot(page, 'chat-phone')

  const refused = await page.evaluate(
    async ({ email, password }) => {
      const json = { 'content-type': 'application/json' }
      const signIn = { method: 'POST', headers: json, body: JSON.stringify({ email, password }) }
      const requests: [string, RequestInit?][] = [
        ...['/login', '/register', '/root', '/kip', '/api/themes', '/sw.js'].map((path): [string] => [path]),
        ['/api/kam/auth/login', signIn],
        ['/api/keeper/keepers', { headers: { authorization: 'Bearer kpr_any' } }],
        ['/', { headers: { authorization: 'Bearer kpr_any' } }],
      ]
      return Promise.all(requests.map(async ([path, init]) => [path, (await fetch(path, init)).status]))
    },
    { email: cast.ada.email, password: cast.ada.password },
  )
  expect(refused.filter(([, status]) => status !== 421)).toEqual([])
  expect((await page.goto(getCustomHostUrl(keeper, '/login')))?.status()).toBe(421)
}

test.describe('served by this server itself', () => {
  test.use({
    settings: async ({ nameServers: [firstServer, secondServer] }, use) =>
      use({
        CUSTOM_DOMAIN_DRIVER: 'dns',
        KEEPER_EDGE_HOST: edgeHost,
        KEEPER_DNS_SERVERS: `${firstServer.address},${secondServer.address}`,
      }),
  })

  test('a domain is created, served at its own host and deleted', async ({
    page,
    keeper,
    nameServers,
    anotherPage,
    watch,
  }) => {
    watch.expectLine(/status of 42[12]/)
    // Panels may briefly refetch a deleted domain.
    watch.expectLine(/status of 404 .*\/api\/domains\//)
    watch.expectLine(plainHttp)
    await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
    await createDomain(page, 'Harbour letters', 'What the harbour remembers.')
    await addCustomDomain(page)
    await getButton(page, 'Add to provider').click()
    await expect(getStatusMessage(page, 'Domain added to the provider successfully')).toBeVisible()
    await expect(getButton(page, 'Add to provider')).toHaveCount(0)
    // Two records, each looked up on two name servers.
    await expect(getRecords(page).getByText('Not found yet')).toHaveCount(4)
    await expect(getButton(page, 'Verify'), 'not before it points here').toHaveCount(0)

    const getRow = (type: string) =>
      getRecords(page)
        .getByRole('row')
        .filter({ hasText: new RegExp(`^${type}`) })
    const expectedTxt =
      /keeper-domain-verify=[\w.-]+,[0-9a-f]{20}/.exec((await getRow('TXT').textContent()) ?? '')?.[0] ?? ''
    expect(expectedTxt).toMatch(/^keeper-domain-verify=memories\.example\.org,[0-9a-f]{20}$/)
    const [firstServer, secondServer] = nameServers
    firstServer.records.set(`_keeper.${host}`, { TXT: [expectedTxt.replace('keeper-domain', 'keeper-dornain')] })
    firstServer.records.set(host, { CNAME: 'edge.keeper.exemple' })
    await getButton(page, 'Check DNS').click()
    await expect(getRow('TXT')).toContainText('differs at character 10: found r, expected m')
    await expect(getRow('TXT').locator('mark')).toHaveText('r')
    await expect(getRow('CNAME')).toContainText('differs at character 15: found e, expected a')
    await expect(getRow('CNAME').getByText('Not found yet'), 'the second name server still has none').toHaveCount(1)
    await expectNoViolations(page, 'wrong records next to the required ones')
    await takeScreenshot(page, 'wrong-records')
    await page.setViewportSize({ width: 390, height: 844 })
    await getPanel(page).scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoViolations(page, 'wrong records on a phone')
    await takeScreenshot(page, 'wrong-records-phone')
    await page.setViewportSize({ width: 1440, height: 900 })

    for (const { records } of nameServers) records.set(host, { CNAME: edgeHost })
    await getButton(page, 'Check DNS').click()
    await expect(getPanel(page).getByText('DNS Ready')).toBeVisible()
    await getButton(page, 'Verify').click()
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to verify domain' })).toContainText('TXT')
    const visitorPage = await anotherPage()
    expect((await visitorPage.goto(getCustomHostUrl(keeper)))?.status(), 'nothing is served earlier').toBe(421)

    for (const { records } of nameServers) records.set(`_keeper.${host}`, { TXT: [expectedTxt] })
    await getButton(page, 'Verify').click()
    await expect(getStatusMessage(page, 'Domain verified successfully')).toBeVisible()
    await expect(getPanel(page).getByText('Verified', { exact: true }).first()).toBeVisible()
    await expect(getButton(page, 'Verify')).toHaveCount(0)
    await takeScreenshot(page, 'verified')
    await expect(getStatusMessage(page, 'Domain verified successfully'), 'it closes automatically').toHaveCount(0)

    await visitorPage.goto(getCustomHostUrl(keeper))
    await expect(visitorPage.getByRole('heading', { level: 1, name: 'Harbour letters' })).toBeVisible()
    await expect(visitorPage.getByText('What the harbour remembers.')).toBeVisible()
    await expect(visitorPage.getByRole('link')).toHaveCount(0)
    await expectNoViolations(visitorPage, 'a domain without an agent')
    await takeScreenshot(visitorPage, 'landing')
    await visitorPage.setViewportSize({ width: 390, height: 844 })
    await takeScreenshot(visitorPage, 'landing-phone')

    await chooseKip(page)
    await checkCustomHost(visitorPage, keeper)

    await deleteDomain(page, 'Harbour letters')
    expect((await visitorPage.goto(getCustomHostUrl(keeper)))?.status()).toBe(421)
    expect(secondServer.questions.length).toBeGreaterThan(0)
  })

  test('removing a custom domain needs confirmation, and invalid names are refused @long', async ({
    page,
    keeper,
    watch,
  }) => {
    watch.expectLine(/status of 400/)
    await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
    await addCustomDomain(page)
    await getButton(page, 'Remove custom domain').click()
    const question = page.getByRole('alertdialog', { name: `Remove ${host}?` })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(getPanel(page)).toContainText(host)
    await getButton(page, 'Remove custom domain').click()
    await question.getByRole('button', { name: 'Remove custom domain' }).click()
    await expect(getStatusMessage(page, 'Custom domain removed successfully')).toBeVisible()
    await expect(getButton(page, 'Add Domain')).toBeDisabled()

    const name = page.getByRole('textbox', { name: 'Custom domain' })
    await name.fill('example.org')
    await expect(getPanel(page)).toContainText('example.org is a whole domain, not a subdomain.')
    await name.fill('127.0.0.1')
    await getButton(page, 'Add Domain').click()
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to add custom domain' })).toBeVisible()
    await expect(name).toHaveValue('127.0.0.1')
    await expect(name).toHaveAttribute('aria-invalid', 'true')
  })
})

test("editing a domain doesn't recheck its custom domain @long", async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
  await addCustomDomain(page)
  const address = page.url()
  // Adding the domain starts a check, which must not be counted below.
  await page.goto('about:blank')
  const statusLoaded = page.waitForResponse(/custom-domain\/status$/)
  await page.goto(address)
  await statusLoaded
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await chooseKip(page)
  expect(
    requests.some((path) => path === '/api/domains/my'),
    'the domains are loaded again',
  ).toBe(true)
  expect(requests.filter((path) => path.endsWith('/status'))).toEqual([])
})

test.describe('served by a hosting provider', () => {
  test.use({
    settings: async ({ hosting }, use) =>
      use({
        CUSTOM_DOMAIN_DRIVER: 'vercel',
        VERCEL_API_BASE_URL: hosting.url,
        VERCEL_TOKEN: hosting.token,
        VERCEL_PROJECT_ID: hosting.projectId,
      }),
  })

  test('a domain is served by the provider, and refusals can be retried @long', async ({
    page,
    keeper,
    hosting,
    anotherPage,
    watch,
  }) => {
    watch.expectLine(/status of (42[12]|5\d\d)/)
    watch.expectLine(/status of 404 .*\/api\/domains\//)
    watch.expectLine(plainHttp)
    await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
    await createDomain(page, 'Harbour letters', '')
    await addCustomDomain(page)
    hosting.fail({ contains: 'POST /v10/', status: 500 })
    await getButton(page, 'Add to provider').click()
    const alert = page.getByRole('alert')
    await expect(alert.filter({ hasText: 'Failed to add domain to Vercel' })).toBeVisible()
    hosting.recover()
    hosting.host(host).otherOwner = 'account'
    await getButton(page, 'Add to provider').click()
    await expect(getStatusMessage(page, 'Domain added to Vercel successfully')).toBeVisible()
    for (const server of ['ns1.vercel-dns.com', 'ns2.vercel-dns.com'])
      await expect(getPanel(page).getByText(server)).toBeVisible()

    const getRow = (type: string) =>
      getRecords(page)
        .getByRole('row')
        .filter({ hasText: new RegExp(`^${type}`) })
    hosting.host(host).dns.cname = [recommendedCname.replace('dns-017', 'dns-071')]
    await getButton(page, 'Check DNS').click()
    await expect(getRow('CNAME')).toContainText('differs at character 30: found 7, expected 1')
    await takeScreenshot(page, 'provider-pending')
    hosting.fail({ contains: '/config', status: 500 })
    await getButton(page, 'Check DNS').click()
    await expect(alert.filter({ hasText: 'Failed to load DNS configuration. Please try again.' })).toBeVisible()
    hosting.recover()
    hosting.pointHere(host)
    await getButton(page, 'Retry').click()
    await expect(getPanel(page).getByText('DNS Ready')).toBeVisible()
    hosting.host(host).dns.txt = [`vc-domain-verify=${host},${hosting.host(host).txtToken}`]
    await getButton(page, 'Verify').click()
    await expect(getStatusMessage(page, 'Domain verified successfully')).toBeVisible()

    await chooseKip(page)
    await checkCustomHost(await anotherPage(), keeper)

    await deleteDomain(page, 'Harbour letters')
    await expect.poll(() => hosting.host(host).added, 'the provider releases it').toBe(false)
    const visitorPage = await anotherPage()
    expect((await visitorPage.goto(getCustomHostUrl(keeper)))?.status()).toBe(421)
  })

  test('Retry adds a host again that the provider has lost @long', async ({ page, keeper, hosting }) => {
    await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
    await addCustomDomain(page)
    await getButton(page, 'Add to provider').click()
    await expect(getStatusMessage(page, 'Domain added to Vercel successfully')).toBeVisible()
    await page.waitForResponse(/custom-domain\/status$/, { timeout: 5000 })
    hosting.host(host).added = false
    await getButton(page, 'Check DNS').click()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('Domain not found in Vercel project. Please add it to Vercel first.')
    await getButton(page, 'Retry').click()
    await expect(getStatusMessage(page, 'Domain added to Vercel successfully')).toBeVisible()
    expect(hosting.host(host).added).toBe(true)
  })
})

test('without hosting the page says so in the specified text @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root/domain' })
  await addCustomDomain(page)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Access denied to Vercel. Please check your Vercel configuration.')
  await expect(getButton(page, 'Add to provider')).toHaveCount(0)
  await expect(getButton(page, 'Retry')).toBeVisible()
})
