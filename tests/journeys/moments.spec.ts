import type { Locator, Page } from '@playwright/test'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getLocalDay, getLocalTime } from '#contract/keepers/local-time.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'
import { getComposer } from './locators.ts'
import { openMoments } from './open-moments.ts'

test.use({ timezoneId: 'Europe/Berlin' })

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAFElEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)
const timeZone = 'Europe/Berlin'
const getToday = () => getLocalDay(timeZone, Date.now())
const getYearsAgo = (years: number) =>
  `${Number(getToday().slice(0, 4)) - years}${getToday().slice(4).replace('02-29', '02-28')}`

const getTextBox = (page: Page) => getComposer(page).getByRole('textbox', { name: 'What is worth keeping from today?' })
/** Tools that are in the menu. */
const getMoreItem = async (page: Page, form: Locator, name: string) => {
  await form.getByRole('button', { name: 'More', exact: true }).click()
  return page.getByRole('menu').getByText(name, { exact: true })
}
const getCard = (page: Page, content: string) => page.getByRole('article').filter({ hasText: content })

test('Add stays in view below a long moment above a phone keyboard', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 390, height: 524 })
  await openMoments(page, keeper)
  await getTextBox(page).fill('The ferry was late.\n'.repeat(40))
  await getTextBox(page).press('Control+End')
  await page.keyboard.type('And no one minded.')
  await expect(getComposer(page).getByRole('button', { name: 'Add', exact: true })).toBeInViewport({ ratio: 1 })
})

test('a moment with a picture is written, reloaded and found again', async ({ page, keeper }) => {
  test.slow()
  const { listMoments } = await openMoments(page, keeper)
  await expect(page.getByText('No moments yet')).toBeVisible()
  await expectNoViolations(page, 'without moments')
  await page.keyboard.press('c')
  await expect(getTextBox(page)).toBeFocused()
  await getTextBox(page).fill('First *frost* on the rope ladder.')
  await page.reload()
  await expect(getTextBox(page), 'typed text is saved').toHaveValue('First *frost* on the rope ladder.')

  const files = page.waitForEvent('filechooser')
  await getComposer(page).getByRole('button', { name: 'Picture' }).click()
  await (await files).setFiles([
    { name: 'quay.png', mimeType: 'image/png', buffer: picture },
    { name: 'page.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
  ])
  await expect(getComposer(page).getByRole('alert')).toContainText('page.svg can’t be added.')
  await expect(getComposer(page).locator('img')).toBeVisible()
  await getComposer(page).getByRole('button', { name: 'Mood' }).click()
  await getComposer(page).getByRole('radio', { name: 'Very good' }).check({ force: true })
  await page.keyboard.press('c')
  await expect(getTextBox(page), 'also from a select, which takes no letters').toBeFocused()
  await getComposer(page).getByRole('textbox', { name: 'In your own words' }).fill('crisp')
  await getComposer(page).getByRole('button', { name: 'Place' }).click()
  await getComposer(page).getByRole('textbox', { name: 'Place' }).fill('The quay')
  await getComposer(page).getByRole('button', { name: 'Topics' }).click()
  await getComposer(page).getByRole('textbox', { name: 'Topics' }).fill('Mornings, Per')
  await getComposer(page).getByRole('textbox', { name: 'Topics' }).press('Enter')
  const placeChip = getComposer(page).getByRole('button', { name: 'Place: The quay' })
  await placeChip.press('Enter')
  await expect(getComposer(page).getByRole('textbox', { name: 'Place' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(getComposer(page).getByRole('button', { name: 'Place', exact: true }), 'nothing is saved').toBeFocused()
  await placeChip.click()
  await expectNoViolations(page, 'the composer, filled')
  await getTextBox(page).press('Control+Enter')
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  await expect(getTextBox(page)).toHaveValue('')

  const createdCard = getCard(page, 'rope ladder')
  await expect(createdCard.locator('em')).toHaveText('frost')
  await expect(createdCard.locator('img')).toBeVisible()
  await expect(createdCard).toContainText('crisp')
  await expect(createdCard).toContainText('The quay')
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible()
  const [saved] = await listMoments()
  expect(saved).toMatchObject({
    body: 'First *frost* on the rope ladder.',
    localDate: getToday(),
    timezone: timeZone,
    mood: { score: 2, label: 'crisp' },
    media: [{ name: 'quay.png', width: 2, height: 2 }],
  })
  await page.reload()
  await expect(getCard(page, 'rope ladder').locator('img')).toBeVisible()
  await expectNoViolations(page, 'the timeline')

  await page.getByRole('searchbox', { name: 'Search moments' }).fill('ladder')
  await expect(getCard(page, 'rope ladder')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search moments' }).fill('nothing like it')
  await expect(page.getByText('No moments match.')).toBeVisible()
  // A pasted query can be longer than the text it matches.
  await page.getByRole('searchbox', { name: 'Search moments' }).fill('rope ladder '.repeat(20))
  await expect(getCard(page, 'rope ladder')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).last().click()
  await getCard(page, 'rope ladder').getByRole('link', { name: 'Mornings' }).click()
  await expect(page).toHaveURL(/topic=Mornings/)
  await expect(getCard(page, 'rope ladder')).toBeVisible()

  await page.getByRole('tab', { name: 'Media' }).click()
  await page.getByRole('button', { name: /quay\.png/ }).click()
  await page.getByRole('textbox', { name: 'Alternative text' }).fill('Frost on a ladder')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /quay\.png/ }).click()
  await expect(page.getByRole('textbox', { name: 'Alternative text' })).toHaveValue('Frost on a ladder')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('img', { name: 'Frost on a ladder' })).toBeVisible()
  await expectNoViolations(page, 'the pictures')
})

test('a past moment is dated and returns under On this day @long', async ({ page, keeper }) => {
  const { listMoments, address } = await openMoments(page, keeper, [
    { body: 'Two years back.', localDate: getYearsAgo(2), timezone: timeZone },
  ])
  const onThisDay = page.getByRole('region', { name: 'On this day' })
  await expect(onThisDay).toContainText('Two years back.')
  await getTextBox(page).fill('Seven years back.')
  await (await getMoreItem(page, getComposer(page), 'When')).click()
  await getComposer(page).getByLabel('Day', { exact: true }).fill(getYearsAgo(7))
  await getComposer(page).getByLabel('Time', { exact: true }).fill('23:30')
  await getComposer(page).getByLabel('Time zone').selectOption('Asia/Tokyo')
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText(/^Saved on .+\.$/)
  const oldest = (await listMoments()).at(-1)
  expect(oldest).toMatchObject({ localDate: getYearsAgo(7), timezone: 'Asia/Tokyo' })
  expect(getLocalTime('Asia/Tokyo', Date.parse(oldest?.occurredAt ?? ''))).toBe('23:30')
  await expect(onThisDay.getByRole('article')).toHaveText([/Seven years back/, /Two years back/])
  await expect(onThisDay.getByRole('article').first()).toContainText(getYearsAgo(7).slice(0, 4))
  await onThisDay.getByRole('button', { name: 'Hide' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show On this day' })).toBeVisible()
  await expect(onThisDay).toHaveCount(0)
  await page.getByRole('tab', { name: 'On this day' }).click()
  await expect(page).toHaveURL(/view=on-this-day$/)
  await expect(onThisDay.getByRole('article'), 'collapsed or not').toHaveText([/Seven years back/, /Two years back/])
  await expectNoViolations(page, 'on this day')

  await page.goto(`${address}?view=calendar&day=${getYearsAgo(7)}`)
  const chosenDay = page.getByRole('gridcell', { selected: true })
  await expect(chosenDay.getByRole('button')).toHaveAccessibleName(/^\w+, \w+ \d+, \d{4}, 1 moment$/)
  await expect(getCard(page, 'Seven years back.')).toBeVisible()
  await expectNoViolations(page, 'the calendar')
  await chosenDay.getByRole('button').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('No moments on this day')).toBeVisible()
  await page.keyboard.press('[')
  await expect(getCard(page, 'Seven years back.')).toBeVisible()
  await page.keyboard.press('PageDown')
  await expect(page.getByText('No moments on this day')).toBeVisible()

  await page.goto(`${address}?view=calendar`)
  const strip = page.getByRole('group', { name: 'Years with moments' })
  await expect(strip.getByRole('button')).toHaveCount(2)
  await strip.getByRole('button', { name: getYearsAgo(7).slice(0, 4) }).press('Enter')
  await expect(getCard(page, 'Seven years back.')).toBeVisible()
  await page
    .getByRole('heading', { name: /^\w+ \d{4}$/ })
    .getByRole('button')
    .press('Enter')
  await page.getByRole('spinbutton', { name: 'Year' }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2009')
  await page.getByRole('combobox', { name: 'Month' }).selectOption('May')
  await expect(page.getByRole('heading', { name: 'May 2009' })).toBeVisible()
  await expect(page).toHaveURL(/day=2009-05-\d\d$/)
  await page.getByRole('spinbutton', { name: 'Year' }).fill('-3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('spinbutton', { name: 'Year' })).toHaveValue('2009')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByRole('combobox', { name: 'Year' }).selectOption(getYearsAgo(7).slice(0, 4))
  await expect(getCard(page, 'Seven years back.')).toBeVisible()
  await expect(getCard(page, 'Two years back.')).toHaveCount(0)

  await page.goto(`${address}?view=calendar&day=9999-12-30`)
  await chosenDay.getByRole('button').focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'PageDown']) await page.keyboard.press(key)
  await expect(chosenDay.getByRole('button')).toHaveAccessibleName(/^Friday, December 31, 9999, no moments$/)
  await expect(page.getByRole('button', { name: 'Next month' })).toBeDisabled()
})

test('a moment is edited in place, kept, deleted and restored', async ({ page, keeper }) => {
  const { listMoments } = await openMoments(page, keeper, [{ body: 'The ferry was late.', topics: ['Per'] }])
  await getCard(page, 'ferry').getByRole('button', { name: 'Edit' }).click()
  const editor = page.getByRole('form', { name: 'Edit moment' })
  await expect(editor.getByRole('button', { name: /^When: \w+ \d+, \d{4}, \d+:\d\d\s[AP]M$/ })).toBeVisible()
  await editor.getByRole('textbox', { name: 'What happened' }).fill('The ferry was very late.')
  await (await getMoreItem(page, editor, 'Not for AI')).click()
  const hiddenChip = editor.getByRole('button', { name: 'Not for AI' })
  await hiddenChip.click()
  await editor.getByRole('switch', { name: 'Not for AI' }).uncheck({ force: true })
  await expect(hiddenChip).toHaveCount(0)
  await editor.getByRole('switch', { name: 'Not for AI' }).check({ force: true })
  await expectNoViolations(page, 'the editor')
  await editor.getByRole('textbox', { name: 'What happened' }).press('Control+Enter')
  await expect(editor).toBeHidden()
  await expect(getCard(page, 'very late')).toContainText('Not for AI')
  expect((await listMoments())[0]).toMatchObject({ body: 'The ferry was very late.', aiVisible: false, rev: 2 })

  await getCard(page, 'very late').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Keep' }).click()
  await expect(getCard(page, 'very late')).toContainText('Kept')
  await getCard(page, 'very late').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(getCard(page, 'very late')).toHaveCount(0)
  expect(await listMoments()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(getCard(page, 'very late')).toContainText('Kept')
  expect((await listMoments())[0]?.topics).toMatchObject([{ name: 'Per' }])

  await getCard(page, 'very late').getByRole('button', { name: 'Reflect on this' }).click()
  await expect(page).toHaveURL(/reflection-journal\?tab=write&reflection=/)
})

test('a moment cannot be changed while it is being saved @long', async ({ page, keeper }) => {
  const { listMoments } = await openMoments(page, keeper)
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pendingAnswers = [...answers]
  await page.route('**/moments**', async (route) => {
    if (!['POST', 'PUT', 'PATCH'].includes(route.request().method())) return route.fallback()
    await pendingAnswers.shift()?.promise
    await route.fallback()
  })
  await getTextBox(page).fill('The ferry was late.')
  await getComposer(page).getByRole('button', { name: 'Place' }).click()
  const placeField = getComposer(page).getByRole('textbox', { name: 'Place' })
  await placeField.fill('The quay')
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(placeField).not.toBeEditable()
  await placeField.press('X')
  await getComposer(page).getByRole('button', { name: 'Mood' }).click()
  await expect(placeField, 'no other tool opens').toBeVisible()
  await getComposer(page).getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  answers[0]?.resolve()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect(await listMoments()).toMatchObject([{ place: { name: 'The quay' }, mood: null, aiVisible: true }])
  await expect(getTextBox(page)).toBeEditable()

  await getCard(page, 'ferry').getByRole('button', { name: 'Edit' }).click()
  const editor = page.getByRole('form', { name: 'Edit moment' })
  await (await getMoreItem(page, editor, 'Title')).click()
  const title = editor.getByRole('textbox', { name: 'Title' })
  await title.fill('Late')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(title).not.toBeEditable()
  answers[1]?.resolve()
  await expect(editor).toHaveCount(0)
  expect(await listMoments()).toMatchObject([{ title: 'Late' }])
})

test('a place typed while locating is kept @long', async ({ page, context, keeper }) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 60.39, longitude: 5.32 })
  await openMoments(page, keeper)
  const locationGate = await page.evaluateHandle(() => {
    const answer = Promise.withResolvers<void>()
    const { geolocation } = navigator
    const getPosition = geolocation.getCurrentPosition.bind(geolocation)
    geolocation.getCurrentPosition = (...args) => void answer.promise.then(() => getPosition(...args))
    return answer
  })
  await getTextBox(page).focus()
  await getComposer(page).getByRole('button', { name: 'Place' }).click()
  await getComposer(page).getByRole('button', { name: 'Use my location' }).click()
  await expect(getComposer(page).getByRole('button', { name: 'Locating...' })).toBeVisible()
  await getComposer(page).getByRole('textbox', { name: 'Place' }).fill('The quay')
  await locationGate.evaluate(({ resolve }) => resolve())
  await expect(getComposer(page).getByText('At 60.390, 5.320')).toBeVisible()
  await expect(getComposer(page).getByRole('textbox', { name: 'Place' })).toHaveValue('The quay')
})

test('the second of two tabs merges both versions of a moment @long', async ({ page, context, keeper, watch }) => {
  watch.expectLine(/status of 409/)
  const { listMoments, address } = await openMoments(page, keeper, [{ body: 'The gate shuts.' }])
  const otherTab = await context.newPage()
  await watch.watchPage(otherTab)
  await otherTab.goto(address)
  for (const tab of [page, otherTab]) await getCard(tab, 'gate').getByRole('button', { name: 'Edit' }).click()
  const getArea = (tab: Page) =>
    tab.getByRole('form', { name: 'Edit moment' }).getByRole('textbox', { name: 'What happened' })
  await getArea(page).fill('The gate sings.')
  await getArea(page).press('Control+Enter')
  // The editor's text also matches the card; only after it closes is the change saved.
  await expect(getArea(page)).toHaveCount(0)
  await expect(getCard(page, 'The gate sings.')).toBeVisible()
  await getArea(otherTab).fill('The gate weeps.')
  await getArea(otherTab).press('Control+Enter')
  const dialog = otherTab.getByRole('dialog')
  await expect(dialog).toContainText('The gate sings.')
  await expect(dialog).toContainText('The gate weeps.')
  expect((await listMoments())[0]?.body, 'nothing is overwritten').toBe('The gate sings.')
  await dialog.getByRole('button', { name: 'Edit together' }).click()
  await dialog.getByRole('textbox').fill('The gate sings and weeps.')
  await dialog.getByRole('button', { name: 'Save together' }).click()
  await expect(dialog).toBeHidden()
  await expect(getCard(otherTab, 'sings and weeps')).toBeVisible()
  expect((await listMoments())[0]).toMatchObject({ body: 'The gate sings and weeps.', rev: 3 })
})

test('an offline moment waits with its picture and is sent once', async ({ page, context, keeper, watch }) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED/)
  const { listMoments } = await openMoments(page, keeper)
  await expect(page.getByText('No moments yet')).toBeVisible()
  await getTextBox(page).fill('Caught on the ferry.')
  await context.setOffline(true)
  const files = page.waitForEvent('filechooser')
  await getComposer(page).getByRole('button', { name: 'Picture' }).click()
  await (await files).setFiles({ name: 'sea.png', mimeType: 'image/png', buffer: picture })
  await expect(getComposer(page)).toContainText('Waiting to be sent')
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText(/^Saved in this browser\./)
  const unsentRegion = page.getByRole('region', { name: 'Waiting to be sent' })
  await expect(unsentRegion).toContainText('Caught on the ferry.')
  await expect(unsentRegion).toContainText('with 1 file')
  expect(await listMoments(), 'nothing was sent').toEqual([])
  await context.setOffline(false)
  await expect(getCard(page, 'Caught on the ferry.').locator('img')).toBeVisible({ timeout: 30_000 })
  await expect(unsentRegion).toHaveCount(0)
  const savedMoments = await listMoments()
  expect(savedMoments.map(({ body, media }) => [body, media.map(({ name }) => name)])).toEqual([
    ['Caught on the ferry.', ['sea.png']],
  ])
})

test('the moment box keeps its height on a phone @long', async ({ page, context, keeper, watch }) => {
  watch.expectLine(/ERR_INTERNET_DISCONNECTED/)
  await page.setViewportSize({ width: 390, height: 844 })
  await openMoments(page, keeper)
  await expect(page.getByText('No moments yet')).toBeVisible()
  const measureHeight = async () => (await getComposer(page).boundingBox())?.height
  await getTextBox(page).focus()
  const emptyHeight = await measureHeight()
  await getTextBox(page).fill('F')
  expect(await measureHeight(), 'with the first letter').toBe(emptyHeight)
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText('Saved.')
  expect(await measureHeight(), 'saved').toBe(emptyHeight)
  await context.setOffline(true)
  await getTextBox(page).fill('G')
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getComposer(page).getByRole('status')).toHaveText(/^Saved in this browser\./)
  expect(await measureHeight(), 'saved in this browser').toBe(emptyHeight)
})

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
for (const [device, size] of Object.entries(sizes))
  test(`the moment box rests small and opens one row of tools on a ${device} @long`, async ({ page, keeper }) => {
    await page.setViewportSize(size)
    await openMoments(page, keeper)
    await expect(page.getByText('No moments yet')).toBeVisible()
    const getHeight = async () => (await getComposer(page).boundingBox())?.height ?? Number.NaN
    const tools = getComposer(page).locator('[data-tools] button')
    expect(await getHeight(), 'at rest').toBeLessThanOrEqual(88)
    await expect(getComposer(page).getByRole('button')).toHaveCount(0)

    await getTextBox(page).focus()
    await expect(tools).toHaveCount(6)
    await page.keyboard.press('Tab')
    await expect(tools.first(), 'the tools are next').toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('The ferry was late.')
    expect(await getHeight(), 'with one line').toBeLessThanOrEqual(132)
    const add = getComposer(page).getByRole('button', { name: 'Add' })
    const buttons = await Promise.all([...(await tools.all()), add].map((button) => button.boundingBox()))
    expect(buttons).toHaveLength(7)
    const middles = buttons.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2))
    expect(Math.max(...middles) - Math.min(...middles), 'one row').toBeLessThanOrEqual(1)
    const minSize = device === 'phone' ? 40 : 32
    for (const box of buttons.slice(0, -1)) expect(box).toMatchObject({ width: minSize, height: minSize })

    const styles = await getTextBox(page).evaluate((box) => ({
      outline: getComputedStyle(box).outlineStyle,
      caret: getComputedStyle(box).caretColor,
      ink: getComputedStyle(box).color,
      halo: getComputedStyle(box.closest('form') ?? box).boxShadow,
    }))
    expect(styles.outline, 'no second border').toBe('none')
    expect(styles.halo).toContain('0px 0px 0px 3px')
    expect(styles.caret).not.toBe(styles.ink)

    await page.getByRole('tab', { name: 'Calendar' }).click()
    await expect(page.getByRole('tab', { name: 'Calendar', selected: true })).toBeVisible()
    await expect(add, 'text keeps the tools').toBeVisible()
    await getTextBox(page).fill('')
    // The box must shrink only after the press, or the tab moves away from under the finger.
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await expect(page.getByRole('tab', { name: 'Timeline', selected: true })).toBeVisible()
    await expect(getComposer(page).getByRole('button')).toHaveCount(0)
    expect(await getHeight(), 'at rest again').toBeLessThanOrEqual(88)
  })

test('a new moment settles into the list once, and not with reduced motion @long', async ({ page, keeper }) => {
  await openMoments(page, keeper, [{ body: 'The gate shuts.', occurredAt: '2020-01-02T10:00:00.000Z' }])
  const getMotion = (content: string) =>
    getCard(page, content).evaluate((article) => {
      const { animationName: name, animationDuration: duration } = getComputedStyle(article)
      return { name, duration }
    })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expect(getCard(page, 'The gate shuts.')).toBeVisible()
  await getTextBox(page).fill('The ferry was late.')
  await getTextBox(page).press('Control+Enter')
  await expect(getCard(page, 'The ferry was late.')).toBeVisible()
  expect(await getMotion('The ferry was late.')).toEqual({ name: 'k-settle', duration: '0.4s' })
  expect((await getMotion('The gate shuts.')).name).toBe('none')
  await expect(getTextBox(page), 'for the next one').toBeFocused()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await getTextBox(page).fill('The lamp is lit.')
  await getComposer(page).getByRole('button', { name: 'Add' }).click()
  await expect(getCard(page, 'The lamp is lit.')).toBeVisible()
  expect((await getMotion('The lamp is lit.')).duration).toBe('0s')
  await expect(getTextBox(page), 'a press on Add leaves the focus in the text').toBeFocused()
  await page.getByRole('tab', { name: 'Calendar' }).click()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await expect(getCard(page, 'The lamp is lit.')).toBeVisible()
  for (const content of ['The ferry was late.', 'The lamp is lit.'])
    expect((await getMotion(content)).name, 'shown again').toBe('none')
})

test('the timeline scrolls to the first moment with few cards rendered @long', async ({ page, keeper }) => {
  const day = 24 * 60 * 60 * 1000
  const momentInputs = Array.from({ length: 130 }, (_, n) => ({
    body: `Moment number ${n}.${n === 1 ? ' The tide took its time today.'.repeat(3500) : ''}`,
    occurredAt: new Date(Date.now() - n * day).toISOString(),
    timezone: timeZone,
  }))
  await openMoments(page, keeper, momentInputs)
  await expect(getCard(page, 'Moment number 0.')).toBeVisible()
  const getCardHeight = async (content: string) => (await getCard(page, content).boundingBox())?.height ?? 0
  expect(await getCardHeight('Moment number 1.'), 'a very long moment').toBeLessThan(1200)
  await getCard(page, 'Moment number 1.').getByRole('button', { name: 'Show more' }).press('Enter')
  const less = getCard(page, 'Moment number 1.').getByRole('button', { name: 'Show less', expanded: true })
  await expect(less).toBeFocused()
  expect(await getCardHeight('Moment number 1.'), 'shown in full').toBeGreaterThan(20_000)
  await less.press('Enter')
  await expect(getCard(page, 'Moment number 1.').getByRole('button', { name: 'Show more' })).toBeFocused()
  await expect(getCard(page, 'Moment number 1.').getByRole('button', { name: 'Show more' })).toBeInViewport()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  expect(await getCardHeight('Moment number 1.'), 'in print').toBeGreaterThan(20_000)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.locator('h1').click()
  await page.keyboard.press(']')
  await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeFocused()
  await page.keyboard.press('[')
  await expect(page.getByRole('heading', { name: 'Today' })).toBeFocused()
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(getCard(page, 'Moment number 129.')).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
  expect(await page.getByRole('article').count()).toBeLessThan(60)
})

test('changing keepers clears the search of the previous one @long', async ({ page, keeper }) => {
  const { address, token } = await openMoments(page, keeper, [{ body: 'The boat was green.' }])
  const keeperInput = { title: 'The Garden Year', purpose: 'p', keeperType: 'journal', memoryPattern: 'sole' }
  const { id: otherId } = await keeper.callApi<Keeper>('/api/keeper/keepers', keeperInput, { token })
  await keeper.callApi(`/api/keeper/keepers/${otherId}/moments`, { body: 'The first peas.' }, { token })
  const search = page.getByRole('searchbox', { name: 'Search moments' })
  await expect(getCard(page, 'The boat was green.')).toBeVisible()
  const previousLength = await page.evaluate(() => history.length)
  await page.getByRole('link', { name: 'Back to Keepers' }).click()
  await page.getByRole('link', { name: 'The Garden Year' }).first().click()
  await page.getByRole('link', { name: 'Open dashboard' }).click()
  await page.locator(`a[href^="/keeper/${otherId}/moments"]`).first().click()
  await expect(page).toHaveURL(new RegExp(`${otherId}/moments`))
  await search.fill('lamp')
  await expect(page).toHaveURL(/q=lamp/)
  // Jumps directly, as with a long press on the back button.
  await page.evaluate((length) => history.go(length - history.length), previousLength)
  await expect(page).toHaveURL(new RegExp(`${address}$`))
  await expect(getCard(page, 'The boat was green.')).toBeVisible()
  await expect(search).toHaveValue('')
})

test('the sample moments can be viewed but not changed @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/keeper/demo/moments' })
  await expect(getCard(page, 'First frost')).toBeVisible()
  await expect(page.getByText('This is a sample to explore.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit' })).toHaveCount(0)
  await page.getByRole('tab', { name: 'Calendar' }).click()
  await expect(page.getByRole('gridcell', { selected: true }).getByRole('button')).toHaveAccessibleName(/1 moment/)
})

test('a view whose code fails to load leaves the text alone, and Retry loads it', async ({ page, keeper, watch }) => {
  watch.expectLine(/ERR_FAILED/)
  await openMoments(page, keeper, [{ body: 'The ferry was late.' }])
  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await box.fill('Half a sentence')
  await page.route('**/*.js', (route) => route.abort())
  await page.getByRole('tab', { name: 'Calendar' }).click()
  await expect(page.getByText('This part couldn’t be loaded.')).toBeVisible()
  await expect(box).toHaveValue('Half a sentence')
  await page.unroute('**/*.js')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible()
  await expect(box).toHaveValue('Half a sentence')
})
