import type { Locator } from '@playwright/test'
import { expect, getConversation, registerAndSignIn, test } from './fixtures.ts'

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
