import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** By night only the colours are different. */
const colours = ['color-contrast', 'link-in-text-block']

/** Holds what is in sight against WCAG 2.2 AA, by day and by night; a breach fails the journey at its end. */
export async function expectNoBreach(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mode', colorScheme)
    const axe = new AxeBuilder({ page }).setLegacyMode()
    const { violations } = await (colorScheme === 'light' ? axe.withTags(rules) : axe.withRules(colours)).analyze()
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect.soft(told, `${where}, ${colorScheme}`).toEqual([])
  }
}
