import type { Agent } from '#contract/agents/agents.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { cast } from '../cast.ts'
import { navigateInApp } from './all-routes.ts'
import { expect, registerPerson, test } from './fixtures.ts'

test('a translated page signs in, runs an agent, saves a moment and shows new texts', async ({
  page,
  keeper,
  watch,
}) => {
  watch.expectLine(/status of 401/)
  const { token } = await registerPerson(keeper, 'ada')
  await keeper.callApi<Agent>('/api/kip/agents', { name: 'Lamp Lighter', purpose: 'Lights.' }, { token })
  await page.goto('/login')
  await page.getByLabel('Email').fill(cast.ada.email)
  await page.evaluate(translateLikeBrowsers)
  const password = page.getByLabel('PASSWORD', { exact: true })
  await password.fill('not-the-password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('THAT EMAIL AND PASSWORD DON’T MATCH. CHECK BOTH AND TRY AGAIN.')
  await password.fill(cast.ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/root$/)

  const box = page.getByRole('textbox', { name: 'What is worth keeping from today?' })
  await expect(box).toBeVisible()
  // The sign-in page may have been another document.
  await page.evaluate(translateLikeBrowsers)
  await expect(page.getByRole('heading', { level: 1 }).locator('font')).not.toHaveCount(0)
  await box.fill('Eleven cormorants.')
  await box.press('Control+Enter')
  await expect(page.getByText('SAVED IN MY KEEPER.').first()).toBeVisible()

  await navigateInApp(page, '/studio/agents')
  const card = page.getByRole('article').filter({ hasText: 'LAMP LIGHTER' })
  await card.getByRole('button', { name: /^Run/i }).click()
  await page.keyboard.press('Enter')
  const outcome = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect(outcome).toContainText(/AGENT EXECUTED SUCCESSFULLY IN \d+MS/)
  await page.keyboard.press('Escape')
  await expect(outcome).toHaveCount(0)

  const [myKeeper] = await keeper.callApi<Keeper[]>('/api/keeper/keepers', undefined, { token })
  await navigateInApp(page, `/keeper/${myKeeper?.id}/reflection-journal`)
  const reflectionBox = page.getByRole('textbox', { name: 'Reflection', exact: true })
  await reflectionBox.fill('Frost')
  await expect(page.getByText('1 WORD', { exact: true })).toBeVisible()
  await reflectionBox.fill('Frost on the ladder')
  await expect(page.getByText('4 WORDS', { exact: true })).toBeVisible()
})

/** Google Translate and its like put each text node into two `font` elements, also those that appear later. */
function translateLikeBrowsers(): void {
  const translateTexts = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts = root instanceof Text ? [root] : []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('font, textarea, script, style, select, svg') !== null)
        continue
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.data.toUpperCase()
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  translateTexts(document.body)
  new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records)
      for (const node of type === 'characterData' ? [target] : addedNodes) translateTexts(node)
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}
