import { test as base, expect, type Page } from '@playwright/test'
import { type Provider, providers } from '#contract/agents/model-settings.ts'
import { type CastName, cast } from '../cast.ts'
import { type Mailbox, startMailbox } from '../fakes/mailbox.ts'
import { type ProviderFake, startProviderFake } from '../fakes/model-providers/start-provider-fake.ts'
import { type BuiltKeeper, startBuiltKeeper } from './built-keeper.ts'
import { Watch } from './watched-page.ts'

export { expect } from '@playwright/test'

interface Scene {
  /** A Keeper of this journey's own, empty, with fakes for everything outside. */
  keeper: BuiltKeeper
  mailbox: Mailbox
  /** Watches every page of the journey; say `watch.expectLine(…)` before going wrong on purpose. */
  watch: Watch
  /** The page of one more person, with a storage of its own. */
  anotherPage: () => Promise<Page>
  /** Extra settings of the server, by `test.use({ settings: … })`. */
  settings: Record<string, string>
}

interface Outside {
  modelProviders: Record<Provider, ProviderFake>
}

export const test = base.extend<Scene, Outside>({
  modelProviders: [
    async ({}, use) => {
      const started = await Promise.all(providers.map((provider) => startProviderFake({ provider, keyless: true })))
      await use(Object.fromEntries(started.map((fake, index) => [providers[index], fake])) as Outside['modelProviders'])
      await Promise.all(started.map((fake) => fake.close()))
    },
    { scope: 'worker' },
  ],
  settings: [{}, { option: true }],
  mailbox: async ({}, use) => {
    const mailbox = await startMailbox()
    await use(mailbox)
    await mailbox.close()
  },
  keeper: async ({ modelProviders, mailbox, settings }, use, info) => {
    const baseUrls = providers.map((provider) => [
      `${provider.toUpperCase()}_BASE_URL`,
      modelProviders[provider].baseUrl,
    ])
    const keeper = await startBuiltKeeper({ ...Object.fromEntries(baseUrls), SMTP_URL: mailbox.url, ...settings })
    await use(keeper)
    await keeper.stop()
    if (info.status !== info.expectedStatus)
      await info.attach('what the server said', { body: keeper.lines.join('\n') })
  },
  baseURL: async ({ keeper }, use) => use(keeper.url),
  watch: async ({}, use) => {
    const watch = new Watch()
    await use(watch)
    watch.check()
  },
  page: async ({ page, watch }, use) => {
    await watch.over(page)
    await use(page)
  },
  anotherPage: async ({ browser, keeper, watch }, use) => {
    const contexts: { close(): Promise<void> }[] = []
    await use(async () => {
      const context = await browser.newContext({ baseURL: keeper.url })
      contexts.push(context)
      const page = await context.newPage()
      await watch.over(page)
      return page
    })
    await Promise.all(contexts.map((context) => context.close()))
  },
})

/** Registers somebody of the cast as they would, and ends at their root page. `path` may be a set-up link's. */
export async function register(page: Page, name: CastName, path = '/register'): Promise<void> {
  const person = cast[name]
  await page.goto(path)
  await page.getByLabel('Name').fill(person.name)
  await fillAndSend(page, person, /begin|register|create/i)
}

export async function signIn(page: Page, name: CastName): Promise<void> {
  await page.goto('/login')
  await fillAndSend(page, cast[name], /sign in|login|log in/i)
}

async function fillAndSend(page: Page, person: { email: string; password: string }, button: RegExp): Promise<void> {
  await page.getByLabel(/e-?mail/i).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.locator('form').getByRole('button', { name: button }).click()
  await expect(page).toHaveURL(/\/root$/)
}

/** Registers without a page, where the journey is about something else; `signIn` follows. */
export async function isRegistered(keeper: BuiltKeeper, name: CastName): Promise<{ token: string }> {
  const response = await fetch(`${keeper.url}/api/kam/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(cast[name]),
  })
  const { success, data, error } = (await response.json()) as {
    success: boolean
    data: { token: string }
    error?: { message: string }
  }
  if (!success) throw new Error(`${name} could not register: ${error?.message}`)
  return data
}
