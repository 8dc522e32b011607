import type { BrowserContext, Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import { cast } from '../cast.ts'
import { expect, registerPerson, test } from './fixtures.ts'
import { getComposer } from './locators.ts'
import { openMoments } from './open-moments.ts'

const getTextBox = (page: Page) => getComposer(page).getByLabel('What is worth keeping from today?')
const getDialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('keeper_token'))

async function clearDataInOtherTab(context: BrowserContext): Promise<void> {
  const otherTab = await context.newPage()
  await otherTab.goto('/favicon.ico')
  await otherTab.evaluate(async () => {
    localStorage.clear()
    for (const { name = '' } of await indexedDB.databases())
      await new Promise((resolve) => {
        indexedDB.deleteDatabase(name).onsuccess = resolve
      })
  })
  await otherTab.close()
}

async function removeTokenInOtherTab(context: BrowserContext): Promise<void> {
  const otherTab = await context.newPage()
  await otherTab.goto('/favicon.ico')
  await otherTab.evaluate(() => localStorage.removeItem('keeper_token'))
  await otherTab.close()
}

async function clearSiteData(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
  await session.detach()
}

async function submitSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await getDialog(page).getByLabel('Email').fill(email)
  await getDialog(page).getByLabel('Password', { exact: true }).fill(password)
  await getDialog(page).getByRole('button', { name: 'Sign in' }).click()
}

/** Only one cause is in the short run: the others differ only in how the token disappears. */
const signOutCauses = [
  { cause: 'another tab clears all site data', endSession: clearDataInOtherTab, tag: ' @long' },
  { cause: 'another tab removes the token', endSession: removeTokenInOtherTab, tag: '' },
  { cause: 'the browser clears the site data', endSession: clearSiteData, tag: ' @long' },
]

for (const { cause, endSession, tag } of signOutCauses)
  test(`${cause} during writing: after signing in again the moment is saved once${tag}`, async ({
    page,
    keeper,
    context,
    watch,
  }) => {
    test.slow()
    // A wrong password.
    watch.expectLine(/status of 401/)
    const { listMoments } = await openMoments(page, keeper)
    await getTextBox(page).pressSequentially('The tide took ')
    await endSession(context, page)
    await getTextBox(page).pressSequentially('the ladder, ')
    await expect(getTextBox(page)).toHaveValue('The tide took the ladder, ')
    await expect(getDialog(page)).toBeVisible()
    await expect(getDialog(page).getByLabel('Email')).toHaveValue(cast.ada.email)
    await expect(getDialog(page).getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page).toHaveURL(/moments/)
    await getDialog(page).getByLabel('Password', { exact: true }).fill('not the password')
    await getDialog(page).getByRole('button', { name: 'Sign in' }).click()
    await expect(getDialog(page).getByRole('alert')).toBeVisible()
    await submitSignIn(page, cast.ada)
    await expect(getDialog(page)).toHaveCount(0)
    await expect(getTextBox(page)).toHaveValue('The tide took the ladder, ')

    await expect(async () => {
      await page.reload()
      await expect(getTextBox(page)).toHaveValue('The tide took the ladder, ', { timeout: 2000 })
    }, 'it is saved in this browser again').toPass()
    await getTextBox(page).press('End')
    await getTextBox(page).pressSequentially('and left a crab.')
    await getTextBox(page).press('Control+Enter')
    await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
    expect((await listMoments()).map(({ body }) => body)).toEqual(['The tide took the ladder, and left a crab.'])
  })

test('Save waits for the sign-in and then goes through once @long', async ({ page, keeper, context }) => {
  const { listMoments } = await openMoments(page, keeper)
  await getTextBox(page).fill('Fog until noon.')
  await clearDataInOtherTab(context)
  await getTextBox(page).press('Control+Enter')
  await expect(getDialog(page)).toBeVisible()
  expect(await listMoments()).toEqual([])
  await submitSignIn(page, cast.ada)
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect((await listMoments()).map(({ body }) => body)).toEqual(['Fog until noon.'])
})

test('another person who signs in instead sees nothing of the draft @long', async ({ page, keeper, context }) => {
  await registerPerson(keeper, 'ben')
  await openMoments(page, keeper)
  await getTextBox(page).fill('Only Ada knows the crab.')
  await clearDataInOtherTab(context)
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
  await getTextBox(page).fill('Rain on the slip.')
  await clearDataInOtherTab(context)
  await expect(getDialog(page)).toBeVisible()
  const otherTab = await context.newPage()
  const { token, user } = await keeper.callApi<SignInResult>('/api/kam/auth/login', cast.ada)
  await otherTab.goto('/favicon.ico')
  await otherTab.evaluate(
    ([user, token]) => {
      localStorage.setItem('keeper_user', JSON.stringify(user))
      localStorage.setItem('keeper_token', String(token))
    },
    [user, token],
  )
  await expect(getDialog(page)).toHaveCount(0)
  await expect(getTextBox(page)).toHaveValue('Rain on the slip.')
})

test('a deliberate sign-out in another tab opens no sign-in dialog @long', async ({ page, keeper, context }) => {
  await openMoments(page, keeper)
  const otherTab = await context.newPage()
  await otherTab.goto('/root')
  await otherTab.getByRole('button', { name: 'Sign out' }).click()
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
  await expect(getTextBox(page)).toBeVisible()
  await removeTokenInOtherTab(context)
  await expect(getDialog(page)).toBeVisible()
  await getDialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(getDialog(page)).toHaveCount(0)
  await getTextBox(page).pressSequentially('Still here.')
  await getTextBox(page).press('Control+Enter')
  await getDialog(page).getByRole('button', { name: 'Leave this page' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(getDialog(page)).toHaveCount(0)
})
