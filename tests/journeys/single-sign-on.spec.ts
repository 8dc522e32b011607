import type { Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import { cast } from '../cast.ts'
import { type CertifiedProvider, startCertifiedProvider } from '../fakes/certified-provider.ts'
import { findFreePort } from '../find-free-port.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { test as base, expect } from './fixtures.ts'

const test = base.extend<{ origin: string; provider: CertifiedProvider }>({
  origin: async ({}, use) => use(`http://localhost:${await findFreePort()}`),
  provider: async ({ origin }, use) => {
    const provider = await startCertifiedProvider(`${origin}/login`, {
      logoutUrl: `${origin}/api/kam/auth/oidc/back-channel-logout`,
    })
    await use(provider)
    await provider.close()
  },
  settings: async ({ origin, provider }, use) =>
    use({
      PORT: new URL(origin).port,
      KEEPER_PUBLIC_URL: origin,
      KEEPER_OIDC_ISSUER: provider.issuer,
      KEEPER_OIDC_CLIENT_ID: provider.clientId,
      KEEPER_OIDC_CLIENT_SECRET: provider.clientSecret,
      KEEPER_OIDC_LABEL: 'Harbour ID',
      KEEPER_OIDC_PRIVATE_HOSTS: provider.host,
    }),
})

test.use({ clocked: true })

test.beforeEach(async ({ watch, context }) => {
  // The provider's pages for development name a font of the web.
  await context.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ body: '' }))
  watch.expectEndOfSession()
  // The provider's development pages have inline styles and no icon.
  watch.expectLine(/127\.0\.0\.1:\d+\/(?!.*api)/)
})

const getSignInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Harbour ID' })

async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: /sign-in/i }).click()
  const consent = page.getByRole('button', { name: /continue/i })
  const isBack = () => new URL(page.url()).hostname === 'localhost'
  await expect.poll(async () => isBack() || (await consent.isVisible())).toBe(true)
  if (!isBack()) await consent.click()
}

test('a person registers with the provider, signs out there, too, and signs in again', async ({ page }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  await expect(getSignInButton(page)).toBeVisible()
  await expectNoViolations(page, 'the page')
  await getSignInButton(page).click()
  await signInAtProvider(page, 'nell')
  await expect(page).toHaveURL('/root')
  const token = await page.evaluate(() => localStorage.getItem('keeper_token'))
  expect(token).toMatch(/^kpr_/)
  expect(addresses.filter((address) => address.includes(token ?? ''))).toEqual([])
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('oidc-flow')))).toEqual([])

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL('/login')
  await page.getByRole('link', { name: 'Sign out there, too' }).click()
  await page.getByRole('button', { name: /yes, sign me out/i }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('link', { name: 'Sign out there, too' })).toHaveCount(0)
  await getSignInButton(page).click()
  await expect(page.locator('input[name=login]')).toBeVisible()
  await signInAtProvider(page, 'nell')
  await expect(page).toHaveURL('/root')
})

test('an account with the same email is connected by its owner only', async ({ page, keeper }) => {
  const email = 'dora@willowbrook.example'
  const { user } = await keeper.callApi<SignInResult>('/api/kam/auth/register', { ...cast.ada, email })
  await page.goto('/login')
  await getSignInButton(page).click()
  await signInAtProvider(page, 'dora')
  await expect(page.getByRole('heading', { name: 'You have an account' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('keeper_token'))).toBeNull()
  await page.getByRole('link', { name: 'Sign in to connect' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('Connected. You can sign in with it from now on.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Disconnect 127.0.0.1' })).toBeVisible()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await getSignInButton(page).click()
  await expect(page).toHaveURL('/root')
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('keeper_user') ?? '').id)).toBe(user.id)
})

test('a signed-in person connects and disconnects @long', async ({ page, keeper }) => {
  await keeper.callApi<SignInResult>('/api/kam/auth/register', cast.ben)
  await page.goto('/login')
  await page.getByLabel('Email').fill(cast.ben.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ben.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/root')
  await page.goto('/root/profile')
  await page.getByRole('button', { name: 'Connect Harbour ID' }).click()
  await signInAtProvider(page, 'ben-at-home')
  await expect(page).toHaveURL('/root/profile')
  const disconnect = page.getByRole('button', { name: 'Disconnect 127.0.0.1' })
  await expect(disconnect).toBeVisible()
  await disconnect.click()
  await expect(disconnect).toHaveCount(0)
})

test('a sign-in that this browser didn’t start, or that was refused, says so @long', async ({ page, watch }) => {
  watch.expectLine(/status of 403/)
  await page.goto('/login?code=stolen&state=unknown')
  await expect(page.getByText('was started in another browser')).toBeVisible()
  await expect(page).toHaveURL('/login')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await getSignInButton(page).click()
  await page.getByRole('link', { name: /cancel/i }).click()
  await expect(page.getByText('Harbour ID didn’t sign you in')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('keeper_token'))).toBeNull()
})

test('a sign-in works while another tab has started one @long', async ({ page, context, watch }) => {
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  for (const tab of [page, otherTab]) {
    await tab.goto('/login')
    await getSignInButton(tab).click()
    await expect(tab.locator('input[name=login]')).toBeVisible()
  }
  await signInAtProvider(page, 'nell')
  await expect(page).toHaveURL('/root')
})

test('a person without a password confirms at the provider and keeps their text @long', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 403/)
  await page.goto('/login')
  await getSignInButton(page).click()
  await signInAtProvider(page, 'nell')
  await expect(page).toHaveURL('/root')
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await box.fill('The harbour was quiet.')
  await page.goto('/root/profile#security')
  await keeper.passTime(6 * 60_000)
  const turnOn = page.getByRole('button', { name: 'Turn on codes' })
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const confirm = dialog.getByRole('button', { name: 'Confirm with Harbour ID' })

  await turnOn.click()
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await expectNoViolations(page, 'the dialog')
  await confirm.click()
  await page.getByRole('link', { name: /cancel/i }).click()
  await expect(page.getByText('Harbour ID didn’t sign you in')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Not confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to where you were' }).click()
  await expect(page).toHaveURL('/root/profile#security')

  await turnOn.click()
  await confirm.click()
  await signInAtProvider(page, 'nell')
  await expect(page).toHaveURL('/root/profile#security')
  await expect(page.getByText('Confirmed for 5 minutes.')).toBeVisible()
  await turnOn.click()
  await expect(page.getByRole('dialog', { name: 'Turn on codes' })).toBeVisible()
  await page.goto('/root')
  await expect(box).toHaveValue('The harbour was quiet.')
})

test('signing out at the provider signs out here, on the open page @long', async ({ page, context, provider }) => {
  await page.goto('/login')
  await getSignInButton(page).click()
  await signInAtProvider(page, 'nell')
  await expect(page).toHaveURL('/root')
  await expect(page.getByRole('heading', { name: 'Root Dashboard' })).toBeVisible()
  const atProvider = await context.newPage()
  await atProvider.goto(`${provider.issuer}/session/end`)
  await atProvider.getByRole('button', { name: /yes, sign me out/i }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.getItem('keeper_token'))).toBeNull()
})
