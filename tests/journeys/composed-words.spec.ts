import type { Locator } from '@playwright/test'
import { arrive, conversation, expect, test } from './fixtures.ts'

/** The Enter that ends an IME conversion: Chromium sends it during the composition, WebKit afterwards. */
const endings = [
  { browser: 'Chromium', isComposing: true, keyCode: 229 },
  { browser: 'WebKit', isComposing: false, keyCode: 229 },
]

async function endConversion(box: Locator, { isComposing, keyCode }: (typeof endings)[number], key = 'Enter') {
  await box.evaluate(
    (element, { key, ...rest }) => {
      const init = { key, code: key, which: rest.keyCode, bubbles: true, cancelable: true, ...rest }
      element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      if (!rest.isComposing) element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
      element.dispatchEvent(new KeyboardEvent('keydown', init))
    },
    { key, isComposing, keyCode },
  )
}

test("an Enter that ends an IME conversion doesn't send, a plain one does", async ({ page, keeper, modelProviders }) => {
  await arrive(page, keeper, 'ada', { path: '/kip' })
  const box = page.getByLabel('Write to Kip')
  await box.fill('猫はどこ')
  for (const ending of endings) {
    await endConversion(box, ending)
    await expect(box, ending.browser).toHaveValue('猫はどこ')
  }
  expect(modelProviders.openai.requests).toEqual([])
  await box.press('Enter')
  await expect(conversation(page).getByText('You asked about “猫はどこ”', { exact: false })).toBeVisible()
  await expect(box).toHaveValue('')
})

test('an Escape that ends an IME conversion closes no dialog @at-length', async ({ page, keeper }) => {
  await arrive(page, keeper, 'ada', { path: '/root' })
  await expect(page.getByRole('heading', { level: 1, name: 'Root Dashboard' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.fill('日記')
  for (const ending of endings) await endConversion(search, ending, 'Escape')
  await expect(search).toHaveValue('日記')
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
})
