import type { Page } from '@playwright/test'
import type { Theme } from '#contract/themes/themes.ts'
import { delayPosts } from './delayed-posts.ts'
import { expectNoViolations } from './expect-no-violations.ts'
import { expect, registerAndSignIn, test } from './fixtures.ts'

test.use({ contextOptions: { colorScheme: 'light' } })

const getColorField = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const filterOwnThemes = (all: Theme[]) => all.filter(({ mine }) => mine)

test('a custom theme is created, fixed, saved, applied and painted first', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes' })
  await page.getByRole('link', { name: 'Start from Keeper Classic' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New theme' })).toBeVisible()
  await expect(page.getByText('All text is readable.')).toBeVisible()
  await expectNoViolations(page, 'the editor')
  await page.emulateMedia({ colorScheme: 'light' })

  const preview = page.locator('[data-preview=light]')
  const readInk = () =>
    preview
      .getByText('The Harbour Years')
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  const initialInk = await readInk()
  await getColorField(page, 'Quiet text, light').fill('#ccc')
  await getColorField(page, 'Quiet text, light').blur()
  await expect(getColorField(page, 'Quiet text, light')).toHaveValue('#cccccc')
  await expect.poll(readInk).toBe('rgb(204, 204, 204)')
  // The page itself keeps its theme.
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'keeper-classic')
  await expect(page.getByText(/pairs are hard to read/)).toBeVisible()

  await page.keyboard.press('Control+z')
  await expect.poll(readInk).toBe(initialInk)
  await page.keyboard.press('Control+Shift+z')
  await page.getByRole('button', { name: 'Fix Quiet text, light' }).click()
  await expect(page.getByText('All text is readable.')).toBeVisible()
  const fixedColor = await getColorField(page, 'Quiet text, light').inputValue()
  expect(fixedColor).toMatch(/^#([0-9a-f]{2})\1\1$/)

  await page.getByLabel('Choose Page, light').fill('#fff4e6')
  await expect(getColorField(page, 'Page, light')).toHaveValue('#fff4e6')
  await page.getByRole('textbox', { name: 'Name' }).fill(' ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enter a name.').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Lamp Room')
  await page.getByRole('textbox', { name: 'Description' }).fill('Cream by day.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/studio\/themes$/)
  await page.getByRole('button', { name: 'Use Lamp Room' }).click()
  await expect(page.getByRole('button', { name: 'Lamp Room is in use' })).toBeVisible()
  const [ownTheme] = filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))
  expect(ownTheme).toMatchObject({ slug: 'lamp-room', note: 'Cream by day.', visibility: 'private' })
  expect({ mutedForeground: ownTheme?.light.mutedForeground, background: ownTheme?.light.background }).toEqual({
    mutedForeground: fixedColor,
    background: '#fff4e6',
  })

  await page.addInitScript(() => {
    const recordedThemes: string[] = []
    Object.assign(window, { recordedThemes })
    const recordTheme = () => {
      const { dataset, style } = document.documentElement
      recordedThemes.push(`${dataset.theme} ${style.getPropertyValue('--k-background')}`)
    }
    requestAnimationFrame(recordTheme)
    new MutationObserver(recordTheme).observe(document, { attributeFilter: ['data-theme', 'style'], subtree: true })
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Lamp Room is in use' })).toBeVisible()
  const recordedThemes = await page.evaluate(() => (window as unknown as { recordedThemes: string[] }).recordedThemes)
  expect([...new Set(recordedThemes)]).toEqual([expect.stringMatching(/^keeper-classic hsl\(/)])
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
    'rgb(255, 244, 230)',
  )
})

test('unsaved theme changes survive a reload, and leaving asks first @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes?from=forest-deep' })
  await getColorField(page, 'Main buttons, dark').fill('#ff8800')
  await getColorField(page, 'Main buttons, dark').blur()
  await page.getByRole('textbox', { name: 'Name' }).fill('Half a Theme')
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(getColorField(page, 'Main buttons, dark')).toHaveValue('#ff8800')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Half a Theme')

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
  await expect(getColorField(page, 'Main buttons, dark')).toHaveValue('#ff8800')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Theme Library' })).toBeVisible()
  await page.goto('/studio/themes?from=forest-deep')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('My Forest Deep')
})

test('the later of two tabs editing a theme is warned and decides @long', async ({ page, keeper, watch }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  const { light, dark } = await keeper.callApi<Theme>('/api/themes/forest-deep')
  const { id } = await keeper.callApi<Theme>('/api/themes', { name: 'Harbour Fog', light, dark }, { token })
  await page.goto(`/studio/themes?edit=${id}`)
  await getColorField(page, 'Focus ring, light').fill('#112233')
  await keeper.callApi(`/api/themes/${id}`, { note: 'Saved in another tab.' }, { token, method: 'PUT' })
  watch.expectLine(/409/)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect(page).toHaveURL(/\/studio\/themes$/)
  const savedTheme = await keeper.callApi<Theme>(`/api/themes/${id}`, undefined, { token })
  expect({ ring: savedTheme.light.ring, note: savedTheme.note, rev: savedTheme.rev }).toEqual({
    ring: '#112233',
    note: '',
    rev: 3,
  })

  await page.goto(`/studio/themes?edit=${id}`)
  await getColorField(page, 'Focus ring, light').fill('#445566')
  await keeper.callApi(`/api/themes/${id}`, { note: 'Again.' }, { token, method: 'PUT' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Again.')
  await expect(getColorField(page, 'Focus ring, light')).toHaveValue('#112233')
})

test('Ctrl+Z in the palette undoes typing, not a change of the theme @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes?from=forest-deep' })
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Slow Water')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search or jump to' })
  await search.pressSequentially('lamp')
  await page.keyboard.press('Control+z')
  await expect(search).not.toHaveValue('lamp')
  await page.keyboard.press('Escape')
  await expect(name).toHaveValue('Slow Water')
})

test('a theme cannot be changed while it is being saved @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes?from=forest-deep' })
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Slow Water')
  const release = await delayPosts(page, '**/api/themes')
  const themeRequest = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/themes'),
  )
  await name.press('Enter')
  await themeRequest
  await page.keyboard.type(' by night')
  await page.getByText('Everyone here', { exact: true }).click()
  await page.getByLabel('Choose Page, light').click()
  await page.keyboard.press('Control+z')
  await expect(name).toHaveValue('Slow Water')
  await expect(page.getByRole('radio', { name: 'Only you' })).toBeChecked()
  release()
  await expect(page).toHaveURL(/\/studio\/themes$/)
  const [ownTheme] = filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))
  expect(ownTheme).toMatchObject({ name: 'Slow Water', visibility: 'private' })
})

test('the editor fits a phone, and importing a file can be undone @long', async ({ page, keeper }) => {
  await page.setViewportSize({ width: 320, height: 700 })
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes?from=keeper-classic' })
  await expect(getColorField(page, 'Focus ring, dark')).toBeVisible()
  const measureOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await measureOverflow()).toBe(0)
  const { light, dark } = await keeper.callApi<Theme>('/api/themes/sunset-warm')
  const content = JSON.stringify({ name: 'From a File', note: '', light, dark })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(content) })
  await expect(getColorField(page, 'Page, light')).toHaveValue(light.background)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(getColorField(page, 'Page, light')).not.toHaveValue(light.background)
  await page.goto('/studio/themes')
  await expect(page.getByRole('article', { name: 'Ocean Calm' })).toBeVisible()
  expect(await measureOverflow()).toBe(0)
  expect(filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))).toEqual([])
})

test('an invalid color is not saved and gets the focus @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes?from=forest-deep' })
  const box = getColorField(page, 'Menus, dark')
  await box.fill('banana')
  await page.getByRole('textbox', { name: 'Name' }).fill('Banana Boat')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByText('Menus, dark isn’t a color. Use a hex color like #2a3d58. Nothing was saved.'),
  ).toBeVisible()
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('banana')
  await expect(box).toHaveAccessibleDescription(/Use a hex color like #2a3d58\./)
  expect(filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))).toEqual([])

  // A complete value counts when Enter is pressed, even before blur.
  const { dark } = await keeper.callApi<Theme>('/api/themes/forest-deep')
  const shortHex = `#${dark.popover.slice(1, 2)}${dark.popover.slice(3, 4)}${dark.popover.slice(5, 6)}`
  await box.fill(shortHex)
  await box.press('Enter')
  await expect(page).toHaveURL(/\/studio\/themes$/)
  const [ownTheme] = filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))
  expect(ownTheme?.dark.popover).toBe(shortHex.replace(/[0-9a-f]/g, '$&$&'))
  expect(ownTheme?.name).toBe('Banana Boat')
})

test('an unreadable theme warns on saving and applying, with an undo @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada', { path: '/studio/themes?from=keeper-classic' })
  const fetchOwnThemes = async () => filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))
  await page.getByRole('textbox', { name: 'Name' }).fill('Fog in Fog')
  await getColorField(page, 'Text, light').fill('#eeeadf')
  const confirmation = page.getByRole('alertdialog')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(confirmation.getByRole('heading')).toHaveText(/^\d+ pairs are hard to read\. Save Fog in Fog\?$/)
  await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect(getColorField(page, 'Text, light')).toHaveValue('#eeeadf')
  expect(await fetchOwnThemes()).toEqual([])

  await page.getByRole('button', { name: 'Save' }).click()
  await confirmation.getByRole('button', { name: 'Save as it is' }).click()
  await expect(page).toHaveURL(/\/studio\/themes$/)
  expect((await fetchOwnThemes())[0]?.light.foreground).toBe('#eeeadf')

  await page.getByRole('button', { name: 'Use Fog in Fog' }).click()
  const warning = page.getByText('Fog in Fog has colors that are hard to read. Undo?')
  await expect(warning).toBeVisible()
  const inks = await warning.evaluate((element) => {
    const { backgroundColor, color } = getComputedStyle(element.parentElement ?? element)
    return [backgroundColor, color]
  })
  expect(inks, 'as in Keeper Classic').toEqual(['rgb(31, 36, 45)', 'rgb(245, 242, 234)'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Keeper Classic is in use' })).toBeVisible()
  await expect
    .poll(() => keeper.callApi('/api/kam/settings', undefined, { token }))
    .toEqual({ preferred_theme_id: 'keeper-classic' })

  await page.getByRole('button', { name: 'Edit Fog in Fog' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await confirmation.getByRole('button', { name: 'Fix all and save' }).click()
  await expect(page).toHaveURL(/\/studio\/themes$/)
  await expect(page.getByText('Saved Fog in Fog.')).toBeVisible()
  expect((await fetchOwnThemes())[0]?.light.foreground).not.toBe('#eeeadf')
  await page.getByRole('button', { name: 'Edit Fog in Fog' }).click()
  await expect(page.getByText('All text is readable.')).toBeVisible()

  // Text on both black and white can't be fixed.
  await getColorField(page, 'Cards, light').fill('#000000')
  await page.getByRole('button', { name: 'Save' }).click()
  await confirmation.getByRole('button', { name: 'Fix all and save' }).click()
  await expect(confirmation.getByText(/Some pairs couldn’t be fixed\. No lightness helps .*Text, light/)).toBeVisible()
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect(getColorField(page, 'Cards, light')).toHaveValue('#000000')
  expect((await fetchOwnThemes())[0]?.light.card).not.toBe('#000000')
})

test('a theme based on another copies every color @long', async ({ page, keeper }) => {
  const { token } = await registerAndSignIn(page, keeper, 'ada')
  await keeper.callApi('/api/kam/settings', { preferred_theme_id: 'forest-deep' }, { token, method: 'PUT' })
  await page.goto('/studio/themes')
  const readColors = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.documentElement)
      const variableNames = [
        'sidebar',
        'sidebar-foreground',
        'ribbon',
        'ribbon-soft',
        'paper',
        'success',
        'chart1',
        'chart3',
      ]
      return variableNames.map((name) => style.getPropertyValue(`--k-${name}`))
    })
  const getCard = (name: string) => page.getByRole('article', { name, exact: true })
  const getContrastText = (name: string) => getCard(name).getByText('Lowest text contrast').textContent()
  await expect(page.getByRole('button', { name: 'Forest Deep is in use' })).toBeVisible()
  const forestColors = await readColors()
  const forestContrast = (await getContrastText('Forest Deep'))?.replace('forest-deep. ', '')

  await page.getByRole('link', { name: 'Start from Forest Deep' }).click()
  const [lightContrast, darkContrast] = forestContrast?.match(/\d+\.\d/g) ?? []
  await expect(page.getByText(`Lowest contrast: ${lightContrast} in light, ${darkContrast} in dark`)).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Use My Forest Deep' }).click()
  await expect(page.getByRole('button', { name: 'My Forest Deep is in use' })).toBeVisible()
  expect(await readColors()).toEqual(forestColors)
  expect(await getContrastText('My Forest Deep')).toBe(forestContrast)
  await page.reload()
  await expect(page.getByRole('button', { name: 'My Forest Deep is in use' })).toBeVisible()
  expect(await readColors()).toEqual(forestColors)
  const [ownTheme] = filterOwnThemes(await keeper.callApi<Theme[]>('/api/themes', undefined, { token }))
  expect(ownTheme?.basis).toBe('forest-deep')

  // The palette lists it too.
  await page.getByRole('button', { name: 'Use Ocean Calm' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('use theme my forest deep')
  await page.getByRole('option', { name: /Use theme My Forest Deep/ }).click()
  await expect(page.getByRole('button', { name: 'My Forest Deep is in use' })).toBeVisible()
})
