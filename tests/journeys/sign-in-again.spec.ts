import type { BrowserContext, Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import { cast } from '../cast.ts'
import { expect, registerPerson, test } from './fixtures.ts'
import { getComposer } from './locators.ts'
import { openMoments } from './open-moments.ts'

const getText = (page: Page) => getComposer(page).getByLabel('What is worth keeping from today?')
const getDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('keeper_token'))

const signOutCauses: [string, (context: BrowserContext, page: Page) => Promise<void>][] = [
  [
    'another tab clears all site data',
    async (context) => {
      const other = await context.newPage()
      await other.goto('/favicon.ico')
      await other.evaluate(async () => {
        localStorage.clear()
        for (const { name = '' } of await indexedDB.databases())
          await new Promise((resolve) => {
            indexedDB.deleteDatabase(name).onsuccess = resolve
          })
      })
      await other.close()
    },
  ],
  [
    'another tab removes the token',
    async (context) => {
      const other = await context.newPage()
      await other.goto('/favicon.ico')
      await other.evaluate(() => localStorage.removeItem('keeper_token'))
      await other.close()
    },
  ],
  [
    'the browser clears the site data',
    async (context, page) => {
      const session = await context.newCDPSession(page)
      await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
      await session.detach()
    },
  ],
]

async function submitSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await getDialog(page).getByLabel('Email').fill(email)
  await getDialog(page).getByLabel('Password', { exact: true }).fill(password)
  await getDialog(page).getByRole('button', { name: 'Sign in' }).click()
}

/** The others differ only in how the token disappears. */
const quickCause = 'another tab removes the token'

for (const [cause, clear] of signOutCauses)
  test(`${cause} during writing: after signing in again the moment is saved once${cause === quickCause ? '' : ' @long'}`, async ({
    page,
    keeper,
    context,
    watch,
  }) => {
    test.slow()
    // A wrong password.
    watch.expectLine(/status of 401/)
    const { list } = await openMoments(page, keeper)
    await getText(page).pressSequentially('The tide took ')
    await clear(context, page)
    await getText(page).pressSequentially('the ladder, ')
    await expect(getText(page)).toHaveValue('The tide took the ladder, ')
    await expect(getDialog(page)).toBeVisible()
    await expect(getDialog(page).getByLabel('Email')).toHaveValue(cast.ada.email)
    await expect(getDialog(page).getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page).toHaveURL(/moments/)
    await getDialog(page).getByLabel('Password', { exact: true }).fill('not the password')
    await getDialog(page).getByRole('button', { name: 'Sign in' }).click()
    await expect(getDialog(page).getByRole('alert')).toBeVisible()
    await submitSignIn(page, cast.ada)
    await expect(getDialog(page)).toHaveCount(0)
    await expect(getText(page)).toHaveValue('The tide took the ladder, ')

    await expect(async () => {
      await page.reload()
      await expect(getText(page)).toHaveValue('The tide took the ladder, ', { timeout: 2000 })
    }, 'it is saved in this browser again').toPass()
    await getText(page).press('End')
    await getText(page).pressSequentially('and left a crab.')
    await getText(page).press('Control+Enter')
    await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
    expect((await list()).map(({ body }) => body)).toEqual(['The tide took the ladder, and left a crab.'])
  })

test('Save waits for the sign-in and then goes through once @long', async ({ page, keeper, context }) => {
  const { list } = await openMoments(page, keeper)
  await getText(page).fill('Fog until noon.')
  await signOutCauses[0]?.[1](context, page)
  await getText(page).press('Control+Enter')
  await expect(getDialog(page)).toBeVisible()
  expect(await list()).toEqual([])
  await submitSignIn(page, cast.ada)
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect((await list()).map(({ body }) => body)).toEqual(['Fog until noon.'])
})

test('another person who signs in instead sees nothing of the draft @long', async ({ page, keeper, context }) => {
  await registerPerson(keeper, 'ben')
  await openMoments(page, keeper)
  await getText(page).fill('Only Ada knows the crab.')
  await signOutCauses[0]?.[1](context, page)
  await expect(getDialog(page)).toBeVisible()
  await submitSignIn(page, cast.ben)
  await expect(page).toHaveURL(/\/root$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('crab')).toHaveCount(0)
  const storedData = await page.evaluate(async () => ({
    stores: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }))
  expect(storedData.stores).not.toContain('crab')
  expect(storedData.databases.filter((name) => name?.startsWith('keeper-'))).toHaveLength(1)
})

test('signing in in another tab restores the page as it was @long', async ({ page, keeper, context }) => {
  await openMoments(page, keeper)
  await getText(page).fill('Rain on the slip.')
  await signOutCauses[0]?.[1](context, page)
  await expect(getDialog(page)).toBeVisible()
  const other = await context.newPage()
  const { token, user } = await keeper.callApi<SignInResult>('/api/kam/auth/login', cast.ada)
  await other.goto('/favicon.ico')
  await other.evaluate(
    ([user, token]) => {
      localStorage.setItem('keeper_user', JSON.stringify(user))
      localStorage.setItem('keeper_token', String(token))
    },
    [user, token],
  )
  await expect(getDialog(page)).toHaveCount(0)
  await expect(getText(page)).toHaveValue('Rain on the slip.')
})

test('a deliberate sign-out in another tab opens no sign-in dialog @long', async ({ page, keeper, context }) => {
  await openMoments(page, keeper)
  const other = await context.newPage()
  await other.goto('/root')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(getDialog(page)).toHaveCount(0)
  expect(await readToken(page)).toBe(null)
})

test('leaving the page instead goes to sign-in without more dialogs @long', async ({
  page,
  keeper,
  context,
  watch,
}) => {
  // The pending save is sent without a session and refused.
  watch.expectLine(/status of 401/)
  await openMoments(page, keeper)
  await expect(getText(page)).toBeVisible()
  await signOutCauses[1]?.[1](context, page)
  await expect(getDialog(page)).toBeVisible()
  await getDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(getDialog(page)).toHaveCount(0)
  await getText(page).pressSequentially('Still here.')
  await getText(page).press('Control+Enter')
  await getDialog(page).getByRole('button', { name: 'Leave this page' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(getDialog(page)).toHaveCount(0)
})
