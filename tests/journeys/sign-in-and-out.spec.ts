import { cast } from '../cast.ts'
import { createKeeperOfAda } from './ada-keeper.ts'
import { expect, getConversation, register, registerAndSignIn, registerPerson, signIn, test } from './fixtures.ts'
import { storeSession } from './store-session.ts'

test('a newcomer registers from the landing page, and signing out removes all traces', async ({ page, watch }) => {
  watch.expectEndOfSession()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('what is worth keeping')
  await expect(page.getByRole('link', { name: 'Talk to Kip' }), 'a chat page has its own tab').toHaveAttribute(
    'target',
    '_blank',
  )
  await page.getByRole('banner').getByRole('link', { name: 'Begin' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByRole('heading', { name: 'Begin Your Journey' })).toBeVisible()
  await page.getByRole('link', { name: 'Already have a keeper? Sign in.' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.getByRole('link', { name: "Don't have a keeper yet? Begin here." }).click()
  await expect(page).toHaveURL(/\/register$/)

  await register(page, 'ada')
  await expect(page.getByRole('heading', { level: 1, name: 'Root Dashboard' })).toBeVisible()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('keeper_user') ?? ''))).toMatchObject({
    name: cast.ada.name,
    email: cast.ada.email,
  })

  const token = await page.evaluate(() => localStorage.getItem('keeper_token'))
  const logoutResponse = page.waitForResponse('**/api/kam/auth/logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect((await logoutResponse).ok()).toBe(true)
  expect(await page.evaluate(() => [localStorage.keeper_token, localStorage.keeper_user])).toEqual([
    undefined,
    undefined,
  ])
  const sessionResponse = await page.request.get('/api/kam/auth/session', {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(sessionResponse.status(), 'the old token on the server').toBe(401)

  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Root Dashboard' })).toHaveCount(0)
})

test("a redirect target in the query can't lead to another site @long", async ({ page, keeper }) => {
  await registerPerson(keeper, 'ada')
  await page.goto(`/login?next=${encodeURIComponent('//evil.example/root')}`)
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${keeper.url}/root`)
})

test('failed sign-ins are explained, and a successful one opens the requested page', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 401|ERR_FAILED/)
  await registerPerson(keeper, 'ada')
  await page.goto('/login')
  const email = page.getByLabel('Email')
  const signInButton = page.getByRole('button', { name: 'Sign in' })
  await email.fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await signInButton.click()
  await expect(page.getByRole('alert')).toHaveText('That email and password don’t match. Check both and try again.')
  await expect(email).toHaveValue(cast.ada.email)

  await page.route('**/api/kam/auth/login', (route) => route.abort())
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await signInButton.click()
  await expect(page.getByRole('alert')).toHaveText('Failed to connect to the server. Please try again later.')
  await expect(email).toHaveValue(cast.ada.email)
  expect(await page.evaluate(() => localStorage.length), 'nothing is stored').toBe(0)

  await page.unroute('**/api/kam/auth/login')
  await page.route('**/api/kam/auth/login', (route) => route.fulfill({ status: 500, body: '<h1>Bad gateway</h1>' }))
  watch.expectLine(/status of 500/)
  await signInButton.click()
  await expect(page.getByRole('alert')).toHaveText('An unknown error occurred.')

  await page.unroute('**/api/kam/auth/login')
  await signInButton.click()
  await expect(page).toHaveURL(/\/root$/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await page.goto('/studio/kip/logs?page=1')
  await expect(page).toHaveURL(/\/login$/)
  await email.fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill(cast.ada.password)
  await signInButton.click()
  await expect(page).toHaveURL(/\/studio\/kip\/logs\?page=1$/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page, 'ada')
})

test('an incomplete sign-in is explained at its fields and sends nothing @long', async ({ page }) => {
  const signInRequests: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/kam/auth/login') && signInRequests.push(request.url()))
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Enter your email.')
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Enter your password.')
  expect(signInRequests).toEqual([])
})

test('a corrupt stored session is removed and logged, and signing in works @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/Failed to parse auth data from localStorage/)
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await page.evaluate(() => localStorage.setItem('keeper_user', '{"name": "Ad'))
  const loggedError = page.waitForEvent('console', (message) => /Failed to parse auth data/.test(message.text()))
  await page.reload()
  expect((await loggedError).type()).toBe('error')
  await expect(page).toHaveURL(/\/login$/)
  const storedData = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(storedData).not.toContain(token)
  expect(storedData).not.toContain('keeper_user')
})

test('signing out in one tab ends the session in the other @long', async ({ page, keeper, context, watch }) => {
  watch.expectEndOfSession()
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  await otherTab.goto('/studio/agents')
  await expect(otherTab.getByRole('heading', { name: 'Manage Agents' })).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(otherTab).toHaveURL(/\/login/)
})

test("signing out in one tab turns the other tab's chat into a visitor's @long", async ({
  page,
  keeper,
  context,
  watch,
}) => {
  watch.expectEndOfSession()
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  const chat = await context.newPage()
  await watch.watchPage(chat)
  await chat.goto('/kip')
  await chat.getByLabel('Write to Kip').fill('What repeats this week?')
  await chat.keyboard.press('Enter')
  await expect(getConversation(chat).getByText('You asked about', { exact: false })).toBeVisible()
  await expect(chat).toHaveURL(/sessionId=/)
  const previousSessionId = new URL(chat.url()).searchParams.get('sessionId') ?? ''
  const requestedUrls: string[] = []
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  chat.on('request', (request) => request.url().includes(previousSessionId) && requestedUrls.push(request.url()))
  await expect(chat.getByText('Hello, I am Kip. How can I help?')).toBeVisible()
  await expect(chat.getByText('What repeats this week?')).toHaveCount(0)
  await expect(chat).not.toHaveURL(new RegExp(previousSessionId))
  await expect(chat).toHaveURL(/sessionId=/)
  await chat.reload()
  await expect(chat.getByText('Hello, I am Kip. How can I help?')).toBeVisible()
  await expect(chat.getByText('The session at this address was deleted or isn’t yours.', { exact: false })).toHaveCount(
    0,
  )
  expect(requestedUrls).toEqual([])
})

test("signing in in one tab replaces the visitor's conversation in the other @long", async ({
  page,
  keeper,
  context,
  watch,
}) => {
  await registerPerson(keeper, 'ada')
  await page.goto('/login')
  const chat = await context.newPage()
  await watch.watchPage(chat)
  await chat.goto('/kip')
  await chat.getByLabel('Write to Kip').fill('What repeats this week?')
  await chat.keyboard.press('Enter')
  await expect(getConversation(chat).getByText('You asked about', { exact: false })).toBeVisible()
  const previousSessionId = new URL(chat.url()).searchParams.get('sessionId') ?? ''
  await signIn(page, 'ada')
  await expect(chat.getByText('Hello, I am Kip. How can I help?')).toBeVisible()
  await expect(chat).not.toHaveURL(new RegExp(previousSessionId))
  await expect(chat).toHaveURL(/sessionId=/)
  await expect(chat.getByRole('status').filter({ hasText: 'The session at this address' })).toHaveCount(0)
})

test("signing in after a visitor chat doesn't request the visitor's session @long", async ({ page, keeper }) => {
  await registerPerson(keeper, 'ada')
  await page.goto('/kip')
  await page.getByLabel('Write to Kip').fill('What repeats this week?')
  await page.keyboard.press('Enter')
  await expect(getConversation(page).getByText('You asked about', { exact: false })).toBeVisible()
  await signIn(page, 'ada')
  await page.goto('/kip')
  await expect(page.getByText('Hello, I am Kip. How can I help?')).toBeVisible()
})

test('another person signing in in another tab sees nothing of the previous one @long', async ({
  page,
  keeper,
  context,
  watch,
}) => {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const ben = await registerPerson(keeper, 'ben')
  const keeperInput = { title: 'The Harbour Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  await keeper.callApi('/api/keeper/keepers', keeperInput, { token: ada.token })
  await page.goto('/keeper')
  await expect(page.getByText('The Harbour Year').first()).toBeVisible()
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  const loadEvent = page.waitForEvent('load')
  await storeSession(otherTab, ben)
  await loadEvent
  await expect(page).toHaveURL(/\/root$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Root Dashboard' })).toBeVisible()
  await expect(page.getByText('The Harbour Year')).toHaveCount(0)
})

test("a stale page doesn't send text after another person has signed in", async ({ page, keeper, context, watch }) => {
  const { id, callApi } = await createKeeperOfAda(page, keeper)
  const ben = await registerPerson(keeper, 'ben')
  await page.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation(), true))
  await page.goto(`/keeper/${id}/topics`)
  await page.getByRole('button', { name: 'New topic' }).click()
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  await storeSession(otherTab, ben)
  const sentPaths: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sentPaths.push(new URL(request.url()).pathname))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sea')
  await page.getByRole('button', { name: 'Create topic' }).click()
  await expect(
    page.getByText('Someone else is now signed in to this browser, so your change wasn’t sent.'),
  ).toBeVisible()
  expect(sentPaths.filter((path) => path.endsWith('/topics'))).toEqual([])
  expect(await callApi(`/keepers/${id}/topics`)).toEqual([])
})

test('a password change ends other sessions and keeps their page @long', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  watch.expectLine(/status of 401/)
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/agents' })
  await expect(page.getByRole('heading', { name: 'Manage Agents' })).toBeVisible()

  const phone = await anotherPage()
  await signIn(phone, 'ada')
  await phone.getByLabel('Current password').fill(cast.ada.password)
  await phone.getByLabel('New password').fill('a-newer-harbour-42')
  await phone.getByRole('button', { name: 'Change password' }).click()
  await expect(phone.getByText('Password changed. You’re signed out everywhere else.')).toBeVisible()
  await expect(phone).toHaveURL(/\/root/)

  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByText('You were signed out. Sign in to pick up where you left off.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('keeper_token'))).toBeNull()
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.getByLabel('Password', { exact: true }).fill('a-newer-harbour-42')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/studio\/agents$/)
})
