import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import type { Domain } from '#contract/domains/domains.ts'
import type { BuiltKeeper } from './built-keeper.ts'
import { delayPosts } from './delayed-posts.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, registerPerson, test } from './fixtures.ts'
import { getButton } from './locators.ts'
import { storeSession } from './store-session.ts'

const path = '/studio/people-board'
const viewNames = [
  'People Overview',
  'Role Manager',
  'Collaboration Network',
  'Activity Feed',
  'Process Workflow',
  'Wizard Mode',
  'Canvas Mode',
]
const getZone = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}, `) })
const getCard = (within: Page | Locator, name: string) => within.getByRole('article', { name, exact: true })
const getSummaryValue = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Summary' }).getByText(label, { exact: true }).locator('..')

/** Opens the people board of Ada's domain with Ben and Dot; `query` extends the URL. */
async function openPeopleBoard(
  page: Page,
  keeper: BuiltKeeper,
  { query = '', dotName = 'Dot Moe', haveJoined = true } = {},
) {
  const ada = await registerAndSignIn(page, keeper, 'ada')
  const callApi = <Data>(to: string, body?: unknown, method?: string) =>
    keeper.callApi<Data>(to, body, { token: ada.token, ...(method && { method }) })
  const ben = await registerPerson(keeper, 'ben')
  const dot = await registerPerson(keeper, 'dot')
  if (dotName !== 'Dot Moe')
    await keeper.callApi(`/api/users/${dot.user.id}`, { name: dotName }, { token: dot.token, method: 'PUT' })
  const { domains } = await callApi<{ domains: Domain[] }>('/api/kam/auth/session')
  const domainId = domains[0]?.id ?? ''
  const addMember = (userId: string, role: string) => callApi(`/api/domains/${domainId}/members`, { userId, role })
  await addMember(ben.user.id, 'user')
  await addMember(dot.user.id, 'friend')
  if (haveJoined) for (const { token } of [ben, dot]) await joinDomain(keeper, domainId, token)
  await page.goto(`${path}${query}`)
  await expect(page.getByRole('heading', { name: 'People Management' })).toBeVisible()
  return { ada, ben, dot, domainId, callApi }
}

const joinDomain = (keeper: BuiltKeeper, domainId: string, token: string) =>
  keeper.callApi(`/api/domains/${domainId}/members/me/agreement`, {}, { token })

async function dragTo(page: Page, from: Locator, to: Locator) {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('One of the cards is not visible')
  // Pressing the name opens the person, but dragging it doesn't.
  await page.mouse.move(start.x + 60, start.y + 20)
  await page.mouse.down()
  await page.mouse.move(start.x + 90, start.y + 30, { steps: 3 })
  await page.mouse.move(end.x + end.width / 2, end.y + 30, { steps: 6 })
  await page.mouse.up()
}

test('dragging a card changes the role, and Undo and Ctrl+Z restore it', async ({ page, keeper }) => {
  const { callApi, domainId } = await openPeopleBoard(page, keeper)
  const fetchRole = async (name: string) =>
    (await callApi<{ people: { name: string; relation: string }[] }>(`/api/people?domainId=${domainId}`)).people.find(
      (person) => person.name === name,
    )?.relation
  await expect(getCard(getZone(page, 'User'), 'Ben Haugen')).toBeVisible()

  await dragTo(page, getCard(page, 'Ben Haugen'), getZone(page, 'Admin'))
  await expect(getCard(getZone(page, 'Admin'), 'Ben Haugen')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Ben Haugen is now an admin.').first()).toBeVisible()
  const updated = page.getByRole('status').filter({ hasText: /^Member role updated$/ })
  await expect(updated).toBeVisible()
  await expect(updated, 'it closes automatically').toHaveCount(0)
  expect(await fetchRole('Ben Haugen')).toBe('admin')
  await getButton(page, 'Undo').click()
  await expect(getCard(getZone(page, 'User'), 'Ben Haugen')).toBeVisible()
  await expect.poll(() => fetchRole('Ben Haugen')).toBe('user')

  await page.getByRole('combobox', { name: 'Role of Dot Moe' }).selectOption('connection')
  await expect(page.getByText('Dot Moe is now a connection.').first()).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(getCard(getZone(page, 'Friend'), 'Dot Moe')).toBeVisible()
  await expect.poll(() => fetchRole('Dot Moe')).toBe('friend')

  await dragTo(page, getCard(page, 'Dot Moe'), getZone(page, 'Owner'))
  await expect(page.getByRole('alert')).toContainText('Dot Moe can’t be made the owner here.')
  await expect(getCard(getZone(page, 'Friend'), 'Dot Moe'), 'it has not moved').toBeVisible()
  await expect(getButton(page, 'Move Ada Lindqvist'), 'no one can move themselves').toHaveCount(0)
})

test('a card is moved by keyboard, and Escape puts it back @long', async ({ page, keeper }) => {
  await openPeopleBoard(page, keeper)
  const handle = getButton(page, 'Move Dot Moe')
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText(/^Picked up Dot Moe, a friend\./)).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Over User.')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(getCard(getZone(page, 'Friend'), 'Dot Moe')).toBeVisible()

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(getCard(getZone(page, 'Connection'), 'Dot Moe')).toBeVisible()
  await expect(handle, 'the focus follows').toBeFocused()
  await expect(page.getByText('Dot Moe is now a connection.').first()).toBeAttached()
  await page.keyboard.press('Control+z')
  await expect(getCard(getZone(page, 'Friend'), 'Dot Moe')).toBeVisible()
  await expect(handle, 'and returns').toBeFocused()

  const role = page.getByRole('combobox', { name: 'Role of Dot Moe' })
  await role.focus()
  await role.selectOption('user')
  await expect(getCard(getZone(page, 'User'), 'Dot Moe')).toBeVisible()
  await expect(role, 'a choice on the card keeps the focus').toBeFocused()
})

test('a refused role change is reverted and explained @long', async ({ page, keeper, watch }) => {
  await openPeopleBoard(page, keeper)
  watch.expectLine(/status of 403/)
  await page.route('**/api/people/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 403,
          json: { success: false, error: 'You manage no members any more.', code: 'forbidden' },
        })
      : route.fallback(),
  )
  await dragTo(page, getCard(page, 'Ben Haugen'), getZone(page, 'Connection'))
  await expect(page.getByRole('alert')).toHaveText(
    'Failed to update member role. Ben Haugen stays a user. You manage no members any more.',
  )
  await expect(getCard(getZone(page, 'User'), 'Ben Haugen')).toBeVisible()
  await expect(getButton(page, 'Undo')).toHaveCount(0)
})

test('people are invited step by step, despite a failure and a reload @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED/)
  await openPeopleBoard(page, keeper)
  await getButton(page, 'Invite People').click()
  const addresses = page.getByLabel('Email addresses')
  await getButton(page, 'Next').click()
  await expect(page.getByText('Enter at least one email address.')).toBeVisible()
  await addresses.fill('Pia Holm <pia@example.com>, otto@example.com')
  await page.reload()
  await expect(addresses).toHaveValue('Pia Holm <pia@example.com>, otto@example.com')
  await getButton(page, 'Next').click()
  await page.getByRole('radio', { name: /^Friend/ }).check({ force: true })
  await getButton(page, 'Next').click()
  await page.getByLabel('Welcome note').fill('Come and sing.')
  await getButton(page, 'Next').click()
  await expect(page.getByText('pia@example.com, otto@example.com')).toBeVisible()

  await page.route('**/invitations', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await getButton(page, 'Invite 2 people').click()
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('The server didn’t respond. They may already be invited.')
  await expect(failure).not.toContainText('No one was invited')
  await page.unroute('**/invitations')
  const release = await delayPosts(page, '**/invitations')
  await getButton(page, 'Invite 2 people').click()
  await expect(getButton(page, 'Inviting...')).toBeVisible()
  await expect(getButton(page, 'Back'), 'the form is locked while sending').toBeDisabled()
  await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Welcome note' }).click()
  await expect(page.getByText('pia@example.com, otto@example.com')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: '2 people invited to Ada Lindqvist' })).toBeVisible()
  await expect(getButton(page, 'Copy link for pia@example.com')).toBeVisible()

  await page.getByLabel('Show', { exact: true }).selectOption('Pending Invites')
  await getButton(page, 'Canvas Mode').click()
  await expect(getCard(getZone(page, 'Friend'), 'pia@example.com')).toContainText('Pending')
  await expect(getCard(page, 'Ben Haugen')).toHaveCount(0)
  await expect(getSummaryValue(page, 'Total'), 'the filter does not change the counts').toContainText('5')
  await expect(getSummaryValue(page, 'Pending')).toContainText('2')
  await getButton(page, 'Clear Filter').click()
  await expect(getCard(page, 'Ben Haugen')).toBeVisible()
  await expect(getButton(page, 'Clear Filter')).toHaveCount(0)

  await getButton(page, 'Process Workflow').click()
  const workflow = page.getByRole('list', { name: 'Invitations' })
  await expect(workflow.getByRole('listitem').filter({ hasText: 'otto@example.com' })).toContainText(
    'Waiting for an answer until',
  )
  await getButton(page, 'Revoke for otto@example.com').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(workflow).toContainText('Revoked')
  await expect(getSummaryValue(page, 'Pending')).toContainText('1')
  await getButton(page, 'Activity Feed').click()
  await expect(page.getByText('Ada Lindqvist revoked an invitation')).toBeVisible()
})

test("a person's panel shows details and changes their role @long", async ({ page, keeper }) => {
  const { ben, domainId } = await openPeopleBoard(page, keeper, { haveJoined: false })
  await expect(getCard(page, 'Ben Haugen')).toContainText('Added, hasn’t joined yet')
  await expect(getCard(page, 'Ben Haugen')).toContainText('Pending')
  await expect(getSummaryValue(page, 'Pending')).toContainText('2')
  await getButton(page, 'Ben Haugen').click()
  const panel = page.getByRole('dialog', { name: 'Ben Haugen' })
  await expect(panel).toContainText('Added, hasn’t joined yet')
  await joinDomain(keeper, domainId, ben.token)
  await expect(panel).toContainText('ben@willowbrook.example')
  await panel.getByLabel('Note').fill('Sings tenor.')
  await panel.getByRole('button', { name: 'Save note' }).click()
  await expect(panel.getByText('Note saved.')).toBeVisible()
  await page.goto(`${path}?personId=${ben.user.id}`)
  await expect(panel.getByLabel('Note')).toHaveValue('Sings tenor.')
  await panel.getByRole('combobox', { name: /^Role/ }).selectOption('friend')
  await expect(panel.getByText('Member role updated'), 'the message is in view').toBeVisible()
  await panel.getByRole('button', { name: /^Remove from/ }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    'Are you sure you want to remove this member? The note about them is deleted too.',
  )
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Member removed successfully' })).toBeVisible()
  await expect(getCard(page, 'Ben Haugen')).toHaveCount(0)
  await expect(getSummaryValue(page, 'Total')).toContainText('2')
})

async function readDownload(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

test('people are exported as CSV, vCard and picture without formulas @long', async ({ page, keeper }) => {
  await openPeopleBoard(page, keeper, { dotName: '=SUM(1;2), "Dot"' })
  const exportAs = async (item: string) => {
    await getButton(page, 'Export').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return download
  }
  const csv = await exportAs('Spreadsheet (CSV)')
  expect(csv.suggestedFilename()).toBe('keeper-people.csv')
  const lines = (await readDownload(csv)).split('\r\n')
  expect(lines[0]).toBe('\uFEFFName,Email,Role,Status,Domain,Since,Last active,Journeys,Note')
  expect(lines.find((line) => line.includes('dot@'))).toMatch(
    /^"'=SUM\(1;2\), ""Dot""",dot@willowbrook\.example,Friend,Active,/,
  )
  const cards = await readDownload(await exportAs('Contacts (vCard)'))
  expect(cards.match(/BEGIN:VCARD/g)).toHaveLength(3)
  expect(cards).toContain('FN:=SUM(1\\;2)\\, "Dot"\r\n')
  const picture = await readFile(await (await exportAs('Picture of the canvas (PNG)')).path())
  expect([...picture.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  expect(picture.length).toBeGreaterThan(10_000)
})

test('the sample people make no request and cannot be changed @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada')
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/api\/(people|domains)/.test(pathname) && pathname !== '/api/domains/my') calls.push(pathname)
  })
  await page.goto(`${path}?personId=demo-people`)
  await expect(getCard(page, 'Maren Lindqvist')).toBeVisible()
  await expect(getSummaryValue(page, 'Total')).toContainText('9')
  for (const feature of viewNames) await getButton(page, feature).click()
  await expect(page.getByRole('radio', { name: 'Canvas Mode' }), 'one way to choose a view').toHaveCount(0)
  for (const absent of ['Export', 'Invite People', 'Move Ida Berg'])
    await expect(getButton(page, absent)).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: /^Role of/ })).toHaveCount(0)
  await getButton(page, 'Ida Berg').click()
  await expect(page.getByRole('dialog', { name: 'Ida Berg' })).toContainText('Quay Choir season')
  expect(calls).toEqual([])
})

test('a plain member can only view the people @long', async ({ page, keeper, anotherPage }) => {
  const { ben, domainId } = await openPeopleBoard(page, keeper)
  const benPage = await anotherPage()
  await storeSession(benPage, ben)
  await benPage.goto(`${path}?domainId=${domainId}`)
  await expect(getCard(getZone(benPage, 'Owner'), 'Ada Lindqvist')).toBeVisible()
  for (const absent of ['Export', 'Invite People', 'Move Dot Moe'])
    await expect(getButton(benPage, absent)).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Role of Ben Haugen' }).selectOption('admin')
  await expect(getButton(benPage, 'Move Dot Moe'), 'right away, with permission').toBeVisible()
  await expect(getButton(benPage, 'Invite People')).toBeVisible()
})

test('a failed people board can be retried @long', async ({ page, keeper, watch }) => {
  watch.expectLine(/status of 500/)
  await page.route(/\/api\/people(\?|$)/, (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'Something broke.', code: 'internal' } }),
  )
  await registerAndSignIn(page, keeper, 'ada', { path })
  await expect(page.getByText('Failed to Load People Board')).toBeVisible()
  await page.unroute(/\/api\/people(\?|$)/)
  await getButton(page, 'Try Again').click()
  await expect(getCard(page, 'Ada Lindqvist')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })
  test('zones stack, a select moves a card, and nothing is cut off @long', async ({ page, keeper }) => {
    await openPeopleBoard(page, keeper)
    const [user, friend] = [await getZone(page, 'User').boundingBox(), await getZone(page, 'Friend').boundingBox()]
    expect(friend?.x).toBe(user?.x)
    expect(friend?.y).toBeGreaterThan((user?.y ?? 0) + (user?.height ?? 0))
    await page.getByRole('combobox', { name: 'Role of Dot Moe' }).selectOption('user')
    await expect(getCard(getZone(page, 'User'), 'Dot Moe')).toBeVisible()

    const handle = getButton(page, 'Move Ben Haugen')
    await handle.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const [from, to] = [await handle.boundingBox(), await getZone(page, 'Admin').boundingBox()]
    const touch = await page.context().newCDPSession(page)
    const toTouchPoints = (x: number, y: number) => [{ x, y }]
    const [x, y] = [(from?.x ?? 0) + 15, (from?.y ?? 0) + 15]
    const target = (to?.y ?? 0) + (to?.height ?? 0) - 30
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: toTouchPoints(x, y) })
    for (const part of [0.1, 0.4, 0.8, 1])
      await touch.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: toTouchPoints(x - 20, y + (target - y) * part),
      })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(getCard(getZone(page, 'Admin'), 'Ben Haugen'), 'touch moves it by its handle').toBeVisible()

    await page.setViewportSize({ width: 320, height: 700 })
    for (const view of viewNames) {
      await getButton(page, view).click()
      await expect(getButton(page, view)).toBeInViewport({ ratio: 1 })
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), view)
        .toBeLessThanOrEqual(0)
    }
  })
})

test('every people view has no WCAG violations @long', async ({ page, keeper }) => {
  test.slow()
  const { ben } = await openPeopleBoard(page, keeper)
  for (const view of viewNames) {
    await getButton(page, view).click()
    await expect(getButton(page, view)).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('region', { name: 'Summary' })).toBeVisible()
    await expectNoViolations(page, view)
  }
  await page.goto(`${path}?personId=${ben.user.id}`)
  await expect(page.getByRole('dialog', { name: 'Ben Haugen' })).toBeVisible()
  await expectNoViolations(page, 'a person')
  await page.goto(`${path}?personId=demo-people&view=network`)
  await expectNoViolations(page, 'the sample network')
})
