import type { Page } from '@playwright/test'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { Journey } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Media } from '#contract/keepers/media.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

/** Four pixels of different colors. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGNkYGD4z8DAwMDAxAADAAkIAQHHNQGMAAAAAElFTkSuQmCC',
  'base64',
)

interface SharingScene {
  ada: SignInResult
  domainId: string
  keeperId: string
  journeyId: string
}

/** Creates Ada's keeper with something in every section, and her domain with Ben as a friend. */
async function createHarbourYear(page: Page, benPage: Page, keeper: BuiltKeeper): Promise<SharingScene> {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const ben = await registerAndSignIn(benPage, keeper, 'ben')
  const callApi = <Data>(path: string, body?: unknown, method?: string) =>
    keeper.callApi<Data>(path, body, { token: ada.token, ...(method && { method }) })
  const { domains } = await callApi<{ domains: { id: string; isPrimary: boolean }[] }>('/api/kam/auth/session')
  const domainId = domains.find(({ isPrimary }) => isPrimary)?.id ?? ''
  await callApi(`/api/domains/${domainId}/members`, { userId: ben.user.id, role: 'friend' })
  const { id: keeperId } = await callApi<Keeper>('/api/keeper/keepers', {
    title: 'The Harbour Year',
    purpose: 'Keep what the harbour says, winter to winter.',
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const keeperPath = `/api/keeper/keepers/${keeperId}`
  const { id: journeyId } = await callApi<Journey>(`${keeperPath}/journeys`, { title: 'Towards the lighthouse' })
  const uploaded = await fetch(`${keeper.url}${keeperPath}/media?width=2&height=2&alt=The%20quay%20at%20dawn`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', authorization: `Bearer ${ada.token}` },
    body: picture,
  })
  const { data: file } = (await uploaded.json()) as { data: Media }
  await callApi(`${keeperPath}/moments`, {
    body: 'Ice on the quay this morning, thin as a page.',
    mediaIds: [file.id],
    topics: ['Ice'],
    place: { name: 'The quay', lat: 59.9, lng: 10.7 },
    mood: { score: 1, label: 'clear' },
  })
  await callApi(`${keeperPath}/moments`, { body: 'Walked to the light and back.', journeyId, localDate: '2026-03-04' })
  await callApi(`${keeperPath}/logbook-entries`, {
    entry: 'I keep the lamp.',
    label: 'Keeper of the lamp',
    category: 'Work',
  })
  await callApi(`${keeperPath}/reflections`, { content: 'No one else reads this.' })
  await callApi(`${keeperPath}/sole/draft`, { content: 'The harbour is home.' })
  await callApi(`/api/keeper/${keeperId}/sole/approve`, {})
  return { ada, domainId, keeperId, journeyId }
}

const getTab = (page: Page, name: string) => page.getByRole('tab', { name })

test('Ada shares parts of a keeper; Ben reads only these until she revokes them', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  test.slow()
  watch.expectLine(/status of 40[34]/)
  const benPage = await anotherPage()
  const { domainId, keeperId } = await createHarbourYear(page, benPage, keeper)
  await benPage.goto(`/root/domain/${domainId}`)
  await expect(benPage.getByText('Nothing is shared here yet')).toBeVisible()

  await page.goto(`/keeper/selected/metadata?id=${keeperId}`)
  const opener = page.getByRole('button', { name: 'Share with members' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Share with members' })
  await expect(dialog.getByText('Never shared: reflections, memory cards')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opener, 'closing returns the focus').toBeFocused()
  await opener.click()
  await expect(dialog.getByRole('button', { name: 'Share' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /^Users/ }).check()
  await expect(dialog.getByRole('status')).toContainText('No one in Ada Lindqvist can read this yet.')
  await dialog.getByRole('checkbox', { name: /^Users/ }).uncheck()
  await dialog.getByRole('checkbox', { name: /^Moments/ }).check()
  await dialog.getByRole('checkbox', { name: /^SOLE/ }).check()
  await dialog.getByRole('checkbox', { name: /^Friends/ }).check()
  await expect(dialog.getByRole('status')).toContainText('1 person in Ada Lindqvist can read this: Ben Haugen.')
  await expectNoViolations(page, 'the dialog')
  await dialog.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('button', { name: 'Read by 1 person in Ada Lindqvist' })).toBeVisible()

  await expect(benPage.getByRole('heading', { name: 'The Harbour Year' }), 'without reloading').toBeVisible()
  await expectNoViolations(benPage, 'what is shared in a domain')
  await benPage.getByRole('link', { name: 'The Harbour Year' }).click()
  await expect(benPage.getByText('Kept by Ada Lindqvist. Shared with you in Ada Lindqvist.')).toBeVisible()
  await expect(benPage.getByRole('tab')).toHaveText([/^Moments/, /^SOLE/])
  await expect(benPage.getByText('Ice on the quay this morning, thin as a page.')).toBeVisible()
  const quay = benPage.getByRole('img', { name: 'The quay at dawn' })
  await expect(quay).toBeVisible()
  expect(await quay.evaluate((image: HTMLImageElement) => image.naturalWidth), 'the picture is loaded').toBe(2)
  await expect(benPage.getByRole('button', { name: /^(Edit|More|Reflect)/ })).toHaveCount(0)
  await expectNoViolations(benPage, 'the moments of another person')
  await getTab(benPage, 'SOLE').click()
  await expect(benPage.getByText('The harbour is home.')).toBeVisible()
  await expect(benPage.getByText('No one else reads this.')).toHaveCount(0)
  await benPage.reload()
  await expect(benPage.getByText('The harbour is home.'), 'the part is in the URL').toBeVisible()

  await page.getByRole('button', { name: 'Read by 1 person in Ada Lindqvist' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click()
  await expect(benPage.getByText('This keeper is no longer shared with you')).toBeVisible()
  await expect(benPage.getByText('The harbour is home.')).toHaveCount(0)
  await expectNoViolations(benPage, 'after revocation')
  await expect(page.getByRole('button', { name: /^Read by/ })).toHaveCount(0)
  await benPage.reload()
  await expect(benPage.getByText('This keeper isn’t shared with you')).toBeVisible()
})

test('a shared journey is closed by a role change and readable on a phone @long', async ({
  page,
  keeper,
  anotherPage,
  watch,
}) => {
  test.slow()
  watch.expectLine(/status of 40[34]/)
  const benPage = await anotherPage()
  const { ada, domainId, keeperId, journeyId } = await createHarbourYear(page, benPage, keeper)
  await page.goto(`/keeper/${keeperId}/journeys?journey=${journeyId}`)
  await page.getByRole('button', { name: 'More for Towards the lighthouse' }).click()
  await page.getByRole('menuitem', { name: 'Share with members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share with members' })
  await expect(dialog.getByText('Only the moments on this journey are shared')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'More for Towards the lighthouse' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Share with members' }).click()
  await expect(dialog.getByRole('checkbox', { name: /^Moments/ })).toHaveCount(0)
  await dialog.getByRole('checkbox', { name: /^Friends/ }).check()
  await dialog.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('button', { name: 'Read by 1 person in Ada Lindqvist' })).toBeVisible()

  await benPage.setViewportSize({ width: 390, height: 844 })
  await benPage.goto(`/root/domain/${domainId}`)
  await benPage.getByRole('link', { name: 'Towards the lighthouse' }).click()
  await expect(benPage.getByText('Walked to the light and back.').first()).toBeVisible()
  await expect(benPage.getByText('Ice on the quay')).toHaveCount(0)
  expect(await benPage.evaluate(() => document.documentElement.scrollWidth), 'nothing is wider than the phone').toBe(
    390,
  )
  await expectNoViolations(benPage, 'a journey on a phone')
  const benToken = (await benPage.evaluate(() => localStorage.getItem('keeper_token'))) ?? ''
  const keeperShare = `/api/domains/${domainId}/shared/keepers/${keeperId}`
  await expect(
    keeper.callApi(keeperShare, undefined, { token: benToken }),
    'nothing else of the keeper',
  ).rejects.toThrow('404')

  const members = `/api/domains/${domainId}/members`
  const benId = await benPage.evaluate(() => JSON.parse(localStorage.getItem('keeper_user') ?? '{}').id as string)
  await keeper.callApi(`${members}/${benId}`, { role: 'connection' }, { token: ada.token, method: 'PATCH' })
  await expect(benPage.getByText('This journey is no longer shared with you')).toBeVisible()
  await benPage.getByRole('link', { name: 'All shared items' }).click()
  await expect(benPage.getByText('Nothing is shared here yet')).toBeVisible()
})

test("member managers can revoke shares, readers can't @long", async ({ page, keeper, anotherPage, watch }) => {
  test.slow()
  watch.expectLine(/status of 40[34]/)
  const benPage = await anotherPage()
  const { ada, domainId, keeperId } = await createHarbourYear(page, benPage, keeper)
  const shareInput = { parts: ['logbook'], roles: ['friend'] }
  await keeper.callApi(`/api/domains/${domainId}/shared/keepers/${keeperId}`, shareInput, {
    token: ada.token,
    method: 'PUT',
  })
  await benPage.goto(`/root/domain?domain=${domainId}`)
  const sharedList = benPage.getByRole('list', { name: 'Shared in this domain' })
  await expect(sharedList).toContainText('Logbook. Shared by Ada Lindqvist with friends')
  await expect(sharedList.getByRole('button')).toHaveCount(0)
  await page.goto(`/root/domain?domain=${domainId}`)
  await page.getByRole('button', { name: 'Unshare The Harbour Year' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unshare' }).click()
  await expect(page.getByText('Nothing is shared here yet')).toBeVisible()
  await expect(benPage.getByText('Nothing is shared here yet'), 'without reloading').toBeVisible()
})
