import type { Locator } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'
import { getComposer } from './locators.ts'
import { openMoments } from './open-moments.ts'

/** The Enter that ends an IME conversion: Chromium sends it during the composition, WebKit afterwards. */
const conversionEnds = [
  { browser: 'Chromium', isComposing: true, keyCode: 229 },
  { browser: 'WebKit', isComposing: false, keyCode: 229 },
]

async function endConversion(box: Locator, { isComposing, keyCode }: (typeof conversionEnds)[number], key = 'Enter') {
  await box.evaluate(
    (element, { key, ...flags }) => {
      const init = { key, code: key, which: flags.keyCode, bubbles: true, cancelable: true, ...flags }
      element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      if (!flags.isComposing) element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
      element.dispatchEvent(new KeyboardEvent('keydown', init))
    },
    { key, isComposing, keyCode },
  )
}

test("an Enter that ends an IME conversion doesn't send, a plain one does", async ({
  page,
  keeper,
  modelProviders,
}) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/kip' })
  const box = page.getByLabel('Write to Kip')
  await box.fill('猫はどこ')
  for (const conversionEnd of conversionEnds) {
    await endConversion(box, conversionEnd)
    await expect(box, conversionEnd.browser).toHaveValue('猫はどこ')
  }
  expect(modelProviders.openai.requests).toEqual([])
  await box.press('Enter')
  await expect(getConversation(page).getByText('You asked about “猫はどこ”', { exact: false })).toBeVisible()
  await expect(box).toHaveValue('')
})

test('an Escape that ends an IME conversion closes no dialog @long', async ({ page, keeper }) => {
  await registerAndSignIn(page, keeper, 'ada', { path: '/root' })
  await expect(page.getByRole('heading', { level: 1, name: 'Root Dashboard' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.fill('日記')
  for (const conversionEnd of conversionEnds) await endConversion(search, conversionEnd, 'Escape')
  await expect(search).toHaveValue('日記')
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
})

test('a comma without a key press ends a topic, but not within a composition', async ({ page, keeper }) => {
  const { listMoments } = await openMoments(page, keeper)
  const composer = getComposer(page)
  await composer.getByRole('textbox').fill('The first swallows.')
  await composer.getByRole('button', { name: 'Topics' }).click()
  const topics = composer.getByRole('textbox', { name: 'Topics' })
  await topics.focus()
  const input = await page.context().newCDPSession(page)
  // Phone keyboards insert text without reporting keys.
  for (const text of ['Spring', ',', '海', '，', 'Per']) await input.send('Input.insertText', { text })
  await expect(composer.getByRole('button', { name: 'Remove Spring' })).toBeVisible()
  await expect(composer.getByRole('button', { name: 'Remove 海' })).toBeVisible()
  await expect(topics).toHaveValue('Per')
  await topics.press('Enter')
  const composed = { text: '猫、', selectionStart: 2, selectionEnd: 2 }
  await input.send('Input.imeSetComposition', composed)
  await input.send('Input.imeSetComposition', { text: '猫、犬', selectionStart: 3, selectionEnd: 3 })
  await expect(topics).toHaveValue('猫、犬')
  await input.send('Input.insertText', { text: '猫、犬' })
  await topics.press('Control+Enter')
  await expect
    .poll(async () => (await listMoments())[0]?.topics.map(({ name }) => name).toSorted())
    .toEqual(['Spring', '海', 'Per', '猫', '犬'].toSorted())
})
