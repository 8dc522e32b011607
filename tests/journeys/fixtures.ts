import { test as base, expect, type Locator, type Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { FakeProvider } from '#tests/fake-providers.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { type CastName, cast } from '../cast.ts'
import { type Mailbox, startMailbox } from '../fakes/mailbox.ts'
import { type FakeOptions, type ProviderFake, startProviderFake } from '../fakes/model-providers/start-provider-fake.ts'
import { type BuiltKeeper, startBuiltKeeper } from './built-keeper.ts'
import { Watch } from './page-watch.ts'
import { storeSession } from './store-session.ts'

export { expect } from '@playwright/test'

interface JourneyFixtures {
  modelProviders: Record<FakeProvider, ProviderFake>
  /** Behavior of the model providers: `test.use({ providerBehavior: { wordDelayMs: 40 } })`. */
  providerBehavior: Pick<FakeOptions, 'wordDelayMs' | 'answer' | 'key'>
  /** An empty Keeper per journey, with fakes for all external services. */
  keeper: BuiltKeeper
  mailbox: Mailbox
  /** Watches every page; call `watch.expectLine(…)` before provoking an error. */
  watch: Watch
  /** A page for another person, with separate storage. */
  anotherPage: () => Promise<Page>
  /** Extra server settings: `test.use({ settings: … })`. */
  settings: Record<string, string>
  /** Enables `keeper.passTime`: `test.use({ clocked: true })`. */
  clocked: boolean
}

interface WorkerFixtures {
  /** The data of an empty Keeper: its migrations take a third of the CPU time of a first start. */
  emptyDataDir: string
}

export const test = base.extend<JourneyFixtures, WorkerFixtures>({
  providerBehavior: [{}, { option: true }],
  modelProviders: async ({ providerBehavior }, use) => {
    const fakes = await Promise.all(
      fakeProviders.map((provider) => startProviderFake({ provider, keyless: true, ...providerBehavior })),
    )
    await use(
      Object.fromEntries(fakes.map((fake, index) => [fakeProviders[index], fake])) as JourneyFixtures['modelProviders'],
    )
    await Promise.all(fakes.map((fake) => fake.close()))
  },
  settings: [{}, { option: true }],
  clocked: [false, { option: true }],
  mailbox: async ({}, use) => {
    const mailbox = await startMailbox()
    await use(mailbox)
    await mailbox.close()
  },
  emptyDataDir: [
    async ({}, use) => {
      const keeper = await startBuiltKeeper({})
      await keeper.end()
      await use(keeper.dataDir)
      await keeper.stop()
    },
    { scope: 'worker' },
  ],
  keeper: async ({ modelProviders, mailbox, settings, clocked, emptyDataDir }, use, info) => {
    const baseUrls = fakeProviders.map((provider) => [
      `${provider.toUpperCase()}_BASE_URL`,
      modelProviders[provider].baseUrl,
    ])
    const environment = { ...Object.fromEntries(baseUrls), SMTP_URL: mailbox.url, ...settings }
    const keeper = await startBuiltKeeper(environment, { clocked, initialDataDir: emptyDataDir })
    await use(keeper)
    await keeper.stop()
    if (info.status !== info.expectedStatus) await info.attach('server output', { body: keeper.lines.join('\n') })
  },
  baseURL: async ({ keeper }, use) => use(keeper.url),
  watch: async ({}, use) => {
    const watch = new Watch()
    await use(watch)
    watch.check()
  },
  page: async ({ page, watch }, use) => {
    await watch.watchPage(page)
    addRequestIdsToMocks(page)
    await use(page)
    // quality/screen-reader/capture-speech.ts: a screen reader lags behind the events, so wait for it.
    if (process.env.KEEPER_SPEECH_FOLDER) await page.waitForTimeout(6_000)
  },
  anotherPage: async ({ browser, contextOptions, keeper, watch }, use) => {
    const contexts: { close(): Promise<void> }[] = []
    await use(async () => {
      const context = await browser.newContext({ ...contextOptions, baseURL: keeper.url })
      contexts.push(context)
      const page = await context.newPage()
      await watch.watchPage(page)
      addRequestIdsToMocks(page)
      return page
    })
    await Promise.all(contexts.map((context) => context.close()))
  },
})

/** Responses that a journey mocks get a request id like Keeper's, unless the journey sets headers. */
function addRequestIdsToMocks(page: Page): void {
  const addRoute = page.route.bind(page)
  page.route = (url, respond, options) =>
    addRoute(
      url,
      (route, request) => {
        const fulfill = route.fulfill.bind(route)
        route.fulfill = (answer) =>
          fulfill(answer?.headers || answer?.response ? answer : { ...answer, headers: { 'X-Request-Id': 'made-up' } })
        return respond(route, request)
      },
      options,
    )
}

/** Registers a person through the form and ends on their root page. `path` may be a setup link. */
export async function register(page: Page, name: CastName, path = '/register'): Promise<void> {
  const person = cast[name]
  await page.goto(path)
  await page.getByLabel('Name').fill(person.name)
  await submitForm(page, person, /begin|register|create/i)
}

export async function signIn(page: Page, name: CastName): Promise<void> {
  await page.goto('/login')
  await submitForm(page, cast[name], /sign in|login|log in/i)
}

async function submitForm(page: Page, person: { email: string; password: string }, button: RegExp): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.locator('form').getByRole('button', { name: button }).click()
  await expect(page).toHaveURL(/\/root$/)
}

/** The box of the home page takes the focus on opening; after Escape, single-key shortcuts work. */
export async function leaveMomentBox(page: Page): Promise<void> {
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box).not.toBeFocused()
}

/** The messages of a chat, without the copy for screen readers. */
export function getConversation(page: Page, agentName = 'Kip'): Locator {
  return page.getByRole('list', { name: `Conversation with ${agentName}` })
}

/** Registers through the API. */
export async function registerPerson(keeper: BuiltKeeper, name: CastName): Promise<SignInResult> {
  return keeper.callApi<SignInResult>('/api/kam/auth/register', cast[name])
}

/** Registers through the API and signs the page in; opens `path` if given. `isSuperAdmin` uses the setup link. */
export async function registerAndSignIn(
  page: Page,
  keeper: BuiltKeeper,
  name: CastName,
  { path, isSuperAdmin = false }: { path?: string; isSuperAdmin?: boolean } = {},
): Promise<SignInResult> {
  const setupToken = isSuperAdmin ? new URL(keeper.setupPath, keeper.url).searchParams.get('setup') : undefined
  const signedIn = await keeper.callApi<SignInResult>('/api/kam/auth/register', { ...cast[name], setupToken })
  await storeSession(page, signedIn)
  if (path) await page.goto(path)
  return signedIn
}
